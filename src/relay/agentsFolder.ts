/** Where the launcher and the list of tools are, below the extension's storage, while any agent is connected. */
export const agentsFolder = 'agents';
