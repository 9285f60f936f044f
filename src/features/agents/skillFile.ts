import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { isOurSkill, skillOutside } from './model/agentSkill';

/** The skill as outside agents get it. */
export async function ownSkill({ extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>): Promise<string> {
  const file = vscode.Uri.joinPath(extensionUri, 'media', 'skills', 'model-catalog', 'SKILL.md');
  return skillOutside(await textOf(file));
}

/** The text an agent reads now; undefined if our skill isn't there. */
export async function skillAt(path: string): Promise<string | undefined> {
  try {
    const text = await textOf(vscode.Uri.file(path));
    return isOurSkill(text) ? text : undefined;
  } catch {
    // It was never added.
    return undefined;
  }
}

/** Writes the skill, with the folders to it. Rejects when the disk doesn't allow it. */
export async function writeSkill(path: string, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(vscode.Uri.file(path), new TextEncoder().encode(text));
}

/** Removes our skill, and its folder if that's empty then. False when that isn't possible. */
export async function removeSkill(path: string): Promise<boolean> {
  const folder = vscode.Uri.file(dirname(path));
  try {
    await vscode.workspace.fs.delete(vscode.Uri.file(path));
    if ((await vscode.workspace.fs.readDirectory(folder)).length === 0) await vscode.workspace.fs.delete(folder);
    return true;
  } catch {
    // The person is told to do it.
    return false;
  }
}

async function textOf(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}
