// Undici's inner modules: its index would replace the dispatchers that every extension in the window shares.
import Agent from 'undici/lib/dispatcher/agent.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher.js';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';

// As the index does: a proxy agent calls `connect` on the dispatcher to its proxy.
Object.assign(DispatcherClass.prototype, { connect });

export { Agent, ProxyAgent, request };
