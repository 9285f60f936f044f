import { plain } from '../../../base/plain';
import { editorChat } from '../../../renders/record';

/** A tool that agents may call, as described to them. Its texts are for models: English, never translated. */
export interface AgentTool {
  /** 'listModels' | 'quote' | 'render' | 'checkRenders' | 'findMissingImages' */
  readonly name: string;
  readonly description: string;
  /** JSON Schema, of type `object`. */
  readonly inputSchema: object;
}

/** The caller, and how long it waits. */
export interface AgentCall {
  /** The agent's own name for itself, which is a claim; undefined for VS Code's own agents. */
  readonly agent?: string;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
  /** Receives progress reports. */
  progress?(words: string): void;
  /** A user is asked for approval, in this window. */
  asks?(): void;
  /** Aborted when it's time to respond with what is known, for instance that a user is still being asked. */
  readonly late?: AbortSignal;
  /** Absolute path of the folder the agent works in. */
  readonly folder?: string;
}

/** Who asks, as recorded and shown. No claim passes for VS Code's own agents. */
export function recordedName({ agent }: AgentCall): string {
  if (agent === undefined) return editorChat;
  const name = plain(agent, 60) || 'unnamed';
  return name === editorChat ? `“${name}”` : name;
}

/** A saved image. */
export interface AgentImage {
  readonly mimeType: string;
  readonly data: Uint8Array;
  /** Its absolute path. */
  readonly file: string;
}

/** The response to an agent. */
export interface AgentResult {
  /** Text for the agent to act on. */
  readonly text: string;
  readonly structured?: object;
  readonly images?: readonly AgentImage[];
  /** Only for our own failures: a rejection is a result. */
  readonly isError?: boolean;
}

/** The tools for agents. An agent's own approval never spends: a user confirms, or has granted an allowance. */
export interface AgentTools {
  readonly tools: readonly AgentTool[];
  /** Never rejects because of the agent's input or a user's no. */
  call(name: string, input: unknown, call: AgentCall): Promise<AgentResult>;
}
