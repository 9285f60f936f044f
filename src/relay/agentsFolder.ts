/** The folder of the launcher and the list of tools, in the extension's storage, while any agent is connected. */
export const agentsFolder = 'agents';
