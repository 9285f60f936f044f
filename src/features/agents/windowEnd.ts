import * as vscode from 'vscode';
import { extensionId } from '../../editor/ids';
import type { AgentTools } from './model/agentTools';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { removeLauncher, writeLauncher } from '../../relay/launcher';
import { WindowServer } from '../../relay/windowServer';
import { connectAgent, disconnectAgents } from './connectAgent';

/** This window's server for agents outside the editor. */
export class WindowEnd implements Disposable {
  private server = this.closed();
  private readonly own = new Disposables();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly tools: Lazy<AgentTools>,
    private readonly log: Log,
  ) {
    this.own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.server.ready?.announce()));
  }

  /** Connects an agent that the user selects. */
  async connect(): Promise<void> {
    await connectAgent(this.context, this);
  }

  /** Disconnects all agents if the user confirms. */
  async disconnect(): Promise<void> {
    await disconnectAgents(this.context, this);
  }

  /** Makes the launcher start this version, and listens. Rejects when the disk or the system doesn't allow it. */
  async open(): Promise<void> {
    await this.server.get();
  }

  /** Listens while agents are connected. Never rejects: agents just don't see a window that can't be reached. */
  async follow(isConnected: boolean): Promise<void> {
    try {
      if (isConnected) await this.open();
      else this.close();
    } catch (error) {
      this.log.error(`Agents can’t reach this window: ${reasonOf(error)}`);
    }
  }

  /** Removes the launcher, so that no agent reaches any window, and stops listening. */
  removeLauncher(): void {
    removeLauncher(this.context.globalStorageUri.fsPath);
    this.close();
  }

  close(): void {
    const { server } = this;
    this.server = this.closed();
    server.ready?.dispose();
  }

  dispose(): void {
    this.own.dispose();
    this.close();
  }

  private closed(): Lazy<WindowServer> {
    return new Lazy(async () => {
      const { tools, context, log } = this;
      const storage = context.globalStorageUri.fsPath;
      const known = (await tools.get()).tools;
      const extension = context.extensionUri.fsPath;
      writeLauncher({ storage, extension, node: process.execPath, tools: known }, process.platform);
      const options = { storage, folders: localFolders, page: pendingPage, clock: systemClock, log };
      return WindowServer.open({ ...options, tools: () => tools.get() });
    });
  }
}

/** Agents outside work on this computer, so remote folders aren't for them. */
function localFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

/** A URL that brings this very window to the front, where its question is. Opening it approves nothing. */
async function pendingPage(): Promise<string> {
  const page = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path: '/pending' });
  return (await vscode.env.asExternalUri(page)).toString(true);
}
