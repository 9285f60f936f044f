import * as vscode from 'vscode';

/**
 * What account fingerprints are made with: random, no secret, made once for this installation. It lies next to the ledger, whose
 * records the fingerprints tell apart, so that both come and go together. Rejects when it can be neither read nor written.
 */
export async function readSalt(folder: vscode.Uri): Promise<string> {
  const file = vscode.Uri.joinPath(folder, 'salt');
  return (await read(file)) ?? (await make(folder, file));
}

async function read(file: vscode.Uri): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
  } catch (error) {
    if (isFileNotFound(error)) return undefined;
    throw error;
  }
}

/** Two windows may start at once: the first one wins, and both read what it wrote. */
async function make(folder: vscode.Uri, file: vscode.Uri): Promise<string> {
  const own = vscode.Uri.joinPath(folder, `salt-${crypto.randomUUID()}`);
  await vscode.workspace.fs.createDirectory(folder);
  await vscode.workspace.fs.writeFile(own, new TextEncoder().encode(crypto.randomUUID()));
  const damaged = await exists(file);
  try {
    await vscode.workspace.fs.rename(own, file, { overwrite: damaged });
  } catch {
    // Another window was first; its salt is read below, and that read fails if this was something else.
    await vscode.workspace.fs.delete(own);
  }
  const salt = await read(file);
  if (salt === undefined) throw new Error('The file that tells accounts apart could not be written');
  return salt;
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (isFileNotFound(error)) return false;
    throw error;
  }
}

function isFileNotFound(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
