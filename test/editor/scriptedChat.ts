import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from './workbench';

/** What the chat's model got back from a tool. */
export interface ToolOutcome {
  readonly text: string;
  /** The media types of its images. */
  readonly images: readonly string[];
}

/** The settings of an editor with a chat. */
export const chatSettings = { 'chat.disableAIFeatures': false } as const;

/**
 * Writes an extension with a model for the editor's chat: to the message `<name>` it calls the render tool with the
 * items of that name, and writes the outcome, as the chat gives it to the model, to `<name>.json` in its folder.
 */
export async function writeScriptedModel(folder: string, calls: Readonly<Record<string, object>>): Promise<void> {
  const manifest = {
    ...{ name: 'scripted', publisher: 'test', version: '1.0.0', engines: { vscode: '^1.105.0' }, main: './main.js' },
    activationEvents: ['onStartupFinished'],
    contributes: { languageModelChatProviders: [{ vendor: 'scripted', displayName: 'Scripted' }] },
  };
  const main = `const vscode = require('vscode');
const calls = ${JSON.stringify(calls)};
const model = {
  id: 'scripted', name: 'Scripted', family: 'scripted', version: '1', maxInputTokens: 100000, maxOutputTokens: 8000,
  isUserSelectable: true, isDefault: true, capabilities: { toolCalling: true, imageInput: true },
};
let name;
exports.activate = async () => {
  vscode.commands.executeCommand('setContext', 'vscode.chat.tools.global.autoApprove.testMode', true);
  // The chat asks people to sign in unless it knows that they have a model of their own. It says so again and again.
  setInterval(() => vscode.commands.executeCommand('setContext', 'github.copilot.hasByokModels', true), 300);
  vscode.lm.registerLanguageModelChatProvider('scripted', {
    provideLanguageModelChatInformation: async () => [model],
    provideTokenCount: async () => 10,
    provideLanguageModelChatResponse: async (_, messages, { tools }, progress) => {
      const { content } = messages.at(-1);
      const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
      const parts = results.flatMap((result) => result.content);
      if (results.length > 0) {
        const images = [...parts, ...content].map(({ mimeType }) => mimeType).filter((type) => /^image/.test(type));
        const text = parts.map(({ value }) => value).filter((value) => typeof value === 'string').join('|');
        const file = require('path').join(${JSON.stringify(folder)}, name + '.json');
        require('fs').writeFileSync(file, JSON.stringify({ text, images }));
        return progress.report(new vscode.LanguageModelTextPart('Done with ' + name + '.'));
      }
      const words = content.map(({ value }) => value ?? '').join(' ');
      name = /<userRequest>\\s*(\\w+)/.exec(words)?.[1];
      const tool = tools?.find((tool) => tool.name === 'modelCatalog_render');
      if (!tool || !(name in calls)) return progress.report(new vscode.LanguageModelTextPart('A title'));
      progress.report(new vscode.LanguageModelToolCallPart('call-' + name, tool.name, calls[name]));
    },
  });
  await vscode.lm.selectChatModels({ vendor: 'scripted' });
};`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), main);
}

/**
 * Opens the chat for people who aren't signed in and have a model of their own: the editor enables its chat extension
 * only once somebody has set it up, and remembers that in the browser.
 */
export async function openChat(workbench: Workbench): Promise<void> {
  await workbench.page.evaluate(async () => {
    const opened = indexedDB.open('vscode-web-state-db-global');
    await new Promise((resolve) => opened.addEventListener('success', resolve));
    const change = opened.result.transaction('ItemTable', 'readwrite');
    change.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
    change.objectStore('ItemTable').put('[]', 'extensionsIdentifiers/disabled');
    await new Promise((resolve) => change.addEventListener('complete', resolve));
    opened.result.close();
  });
  await workbench.reload();
  await workbench.command('View: Toggle Chat');
  await chat(workbench).getByText('Scripted', { exact: true }).waitFor();
}

/** Sends a message in the chat. */
export async function say(workbench: Workbench, message: string): Promise<void> {
  await chat(workbench).locator('.chat-input-container .monaco-editor').click();
  await workbench.page.keyboard.type(message);
  await workbench.page.keyboard.press('Enter');
}

/** The chat with its messages. */
export function chat(workbench: Workbench) {
  return workbench.page.locator('.interactive-session');
}
