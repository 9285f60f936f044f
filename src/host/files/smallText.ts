import type * as vscode from 'vscode';
import { longestConfig } from '../../documents/siteConfig';
import { readUpTo } from './readUpTo';

/**
 * The text of a configuration file; undefined when it can't be read or is longer than `longestConfig`. Never rejects.
 */
export async function smallText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await readUpTo(uri, longestConfig);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    // Deleted meanwhile, or unreadable.
    return undefined;
  }
}
