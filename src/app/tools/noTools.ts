import type { AgentTools } from './agentTools';

/** Nothing that agents can call. */
export const noTools: AgentTools = { tools: [], call: (name) => Promise.reject(new Error(`There’s no ${name}.`)) };
