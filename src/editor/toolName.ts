import * as vscode from 'vscode';
import { extensionId } from './ids';

/** The name and version that this extension writes into metadata. */
export function toolName(): string {
  const manifest: unknown = vscode.extensions.getExtension(extensionId)?.packageJSON;
  const { version = '' } = (manifest ?? {}) as { readonly version?: string };
  return `Model Catalog ${version}`.trim();
}
