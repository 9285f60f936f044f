import * as vscode from 'vscode';
import type { OpenForm } from '../../compose/openForm';
import { formViewType } from '../../editor/ids';
import { oneLine } from '../../base/plain';
import { imagesOf } from '../../files/givenImages';
import { stagedFolder } from '../../renders/placement';
import { PageFiles } from '../../editor/pageFiles';
import type { Lazy } from '../../base/lazy';
import type { FormPanels } from './formPanel';
import type { Connection } from '../account/connection';

/** The page of a form. What it says waits until its host's side is there to hear it. */
export class FormPage {
  private readonly waiting: unknown[] = [];
  private hear = (message: unknown): void => void this.waiting.push(message);
  private closed = false;

  constructor(readonly panel: vscode.WebviewPanel) {
    panel.webview.onDidReceiveMessage((message: unknown) => this.hear(message));
    panel.onDidDispose(() => (this.closed = true));
  }

  /** The person closed it. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Calls back with every message, also with those until now. To be called once. */
  listen(hear: (message: unknown) => void): void {
    this.hear = hear;
    for (const message of this.waiting.splice(0)) hear(message);
  }
}

/** Begins the pages of forms, which load while the code for the host's side does. */
export class FormPages {
  private readonly files: PageFiles;
  /** The folder that holds results until they are saved. */
  readonly spool: vscode.Uri;
  private readonly roots: readonly vscode.Uri[];

  constructor(context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri' | 'storageUri'>) {
    const { extensionUri, globalStorageUri } = context;
    this.files = new PageFiles(extensionUri, 'form');
    this.spool = vscode.Uri.joinPath(globalStorageUri, 'spool');
    const staged = vscode.Uri.joinPath(globalStorageUri, stagedFolder);
    this.roots = [this.files.folder, this.spool, staged, vscode.Uri.file(imagesOf(context).folder)];
  }

  /** A page in the editor, for this model. */
  begin(modelId: string): FormPage {
    const { Active } = vscode.ViewColumn;
    const panel = vscode.window.createWebviewPanel(formViewType, titleOf(modelId), Active, this.options());
    return this.fill(panel, modelId);
  }

  /** The page of an earlier window. */
  restore(panel: vscode.WebviewPanel, modelId: string): FormPage {
    panel.webview.options = this.options();
    return this.fill(panel, modelId);
  }

  /**
   * What a form may load: its own script and style, results in the open folders, results waiting to be saved, images
   * given as inputs, and what is in the folders of these other files (URIs).
   */
  options(others: readonly vscode.Uri[] = []): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [...this.everywhere, ...others] };
  }

  /** The folders that every form may load from. */
  get everywhere(): readonly vscode.Uri[] {
    return [...this.roots, ...(vscode.workspace.workspaceFolders?.map((folder) => folder.uri) ?? [])];
  }

  private fill(panel: vscode.WebviewPanel, modelId: string): FormPage {
    const page = new FormPage(panel);
    panel.title = titleOf(modelId);
    panel.iconPath = this.files.icon;
    panel.webview.html = this.files.html(panel.webview, panel.title);
    return page;
  }
}

/**
 * As `OpenForm`. While the code for the window's first form loads, its page does too, and the service is connected to.
 * Rejects when the ledger can't be read.
 */
export async function openForm(
  forms: Lazy<FormPanels>,
  connection: Connection,
  context: vscode.ExtensionContext,
  ...[modelId, inputs, occasion]: Parameters<OpenForm>
): Promise<void> {
  const begun = forms.ready ? undefined : new FormPages(context).begin(modelId);
  void connection.start();
  try {
    await (await forms.get()).open(modelId, inputs, occasion, begun);
  } catch (error) {
    begun?.panel.dispose();
    throw error;
  }
}

/** The model's own name: the last segment of its id. */
export function titleOf(modelId: string): string {
  return oneLine(modelId.slice(modelId.lastIndexOf('/') + 1), 60) || oneLine(modelId, 60);
}
