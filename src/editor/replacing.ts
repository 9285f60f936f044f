import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { nodeDisk } from '../files/disk';
import { localReplacing } from '../files/localReplacing';
import type { Replacing } from '../files/replacement';
import { workspaceReplacing } from '../files/workspaceReplacing';
import { editorFiles } from './workspaceFiles';

/**
 * Replaces a file below a root (URIs): local ones atomically, others as the editor's file systems can. Rejects as
 * `localReplacing`.
 */
export async function replacing(file: string, root: string): Promise<Replacing> {
  return vscode.Uri.parse(file).scheme === 'file'
    ? localReplacing(nodeDisk, root, file)
    : workspaceReplacing(editorFiles, systemClock);
}
