import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes an extension that acts like an agent in the editor: the command `Agent: Render <name>` calls the tool with the
 * items of that name, and the tool's response goes to `<name>.txt` in its folder.
 */
export async function writeAgent(folder: string, calls: Readonly<Record<string, readonly object[]>>): Promise<void> {
  const commands = Object.keys(calls).map((name) => ({ command: `agent.${name}`, title: `Agent: Render ${name}` }));
  const manifest = {
    ...{ name: 'agent', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.105.0' }, main: './main.js' },
    ...{ activationEvents: ['onStartupFinished'], contributes: { commands } },
  };
  const main = `const vscode = require('vscode');
const calls = ${JSON.stringify(calls)};
exports.activate = () => {
  vscode.commands.executeCommand('setContext', 'vscode.chat.tools.global.autoApprove.testMode', true);
  for (const [name, items] of Object.entries(calls)) vscode.commands.registerCommand('agent.' + name, async () => {
    const options = { input: { items }, toolInvocationToken: undefined };
    const said = await vscode.lm.invokeTool('modelCatalog_render', options).then(
      ({ content }) => content.map(({ value }) => value ?? '(image)').join('|'), (error) => 'error: ' + error);
    require('fs').writeFileSync(require('path').join(${JSON.stringify(folder)}, name + '.txt'), said);
  });
};`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
}
