import * as vscode from 'vscode';
import { longestConfig } from '../../documents/siteConfig';

/**
 * The text of a configuration file; undefined when it can't be read or is longer than `longestConfig`. Never rejects.
 */
export async function smallText(uri: vscode.Uri): Promise<string | undefined> {
  const { fs } = vscode.workspace;
  try {
    if ((await fs.stat(uri)).size > longestConfig) return undefined;
    const bytes = await fs.readFile(uri);
    // It may have grown since the check.
    return bytes.length > longestConfig ? undefined : new TextDecoder().decode(bytes);
  } catch {
    // Deleted meanwhile, or unreadable.
    return undefined;
  }
}
