import type * as vscode from 'vscode';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { warnOnce } from '../base/warnOnce';
import { longestConfig } from '../documents/siteConfig';
import { readUpTo, relativePath } from './readUpTo';

/**
 * The text of a configuration file; undefined when there is none, and, with a line in the log, when it can't be read or
 * is longer than `longestConfig`. Never rejects.
 */
export async function smallText(uri: vscode.Uri, log: Pick<Log, 'warn'>): Promise<string | undefined> {
  const name = relativePath(uri);
  try {
    const bytes = await readUpTo(uri, longestConfig, log, name);
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    warnOnce(log, `Couldn’t read ${name}: ${reasonOf(error)}`);
    return undefined;
  }
}
