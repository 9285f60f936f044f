import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { warnOnce } from '../../base/warnOnce';
import type { Session } from '../../catalog/session';
import { knownModel } from '../../app/models/knownModel';
import { imageEndings } from '../../documents/imageEndings';
import { checkModels, type KnownModel, type ModelCheck } from '../../renderFiles/modelCheck';
import { readRenderFile } from '../../renderFiles/readRenderFile';
import { isRenderFile, renderFileGlob, type Problem, type RenderFile } from '../../renderFiles/renderFile';
import { statesOf, type Pictures, type StateOf } from '../../renderFiles/states';
import { problemSentence } from '../../renderFiles/words';
import type { Services } from '../../services';
import { relativePath } from '../files/readUpTo';
import { lensesOf, withWords, type EntryLens } from './entryLenses';
import { picturesIn } from './picturesIn';
import { rangeOf } from './rangeOf';

/** A render file as it is in the editor, saved or not. */
export interface ReadFile {
  readonly file: RenderFile;
  /** The renders without a problem, each with the state of its image. */
  readonly states: readonly StateOf[];
  /** The workspace folder it is in. */
  readonly folder: vscode.Uri;
}

interface Reading {
  readonly version: number;
  readonly read: Promise<ReadFile | undefined>;
}

/** Changes that come together, such as keys or saved images, are looked at once, ms. */
const gatherMs = 300;
/** The most models whose fields are requested for one file. */
const mostModels = 20;

/** Reads open render files again when they or their images change, and shows their problems and lenses. */
export class RenderFiles implements Disposable {
  private readonly own = new Owned();
  private readonly session: Session;
  private readonly log: Log;
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private readonly problems = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog: render files'));
  private readonly readings = new WeakMap<vscode.TextDocument, Reading>();
  private readonly pictures = new Map<string, Pictures>();
  private gathering: Disposable | undefined;

  constructor({ session, quotes, log }: Pick<Services, 'session' | 'quotes' | 'log'>) {
    this.session = session;
    this.log = log;
    const lenses: vscode.CodeLensProvider<EntryLens> = {
      onDidChangeCodeLenses: this.changed.event,
      provideCodeLenses: (document) => lensesOf(document, this),
      resolveCodeLens: async (lens) => withWords(lens, session, await quotes.get()),
    };
    this.own.add(vscode.languages.registerCodeLensProvider({ pattern: renderFileGlob }, lenses));
    const images = `**/*.{${[...imageEndings, 'render.json'].join(',')}}`;
    const watcher = this.own.add(vscode.workspace.createFileSystemWatcher(images));
    for (const happens of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.own.add(happens(() => this.lookSoon()));
    this.own.add(session.onDidChangeModels(() => this.lookSoon()));
    this.own.add({ dispose: () => this.gathering?.dispose() });
    const { workspace } = vscode;
    this.own.add(
      workspace.onDidChangeTextDocument(({ document }) => isRenderFile(document.uri.path) && this.lookSoon()),
    );
    this.own.add(workspace.onDidOpenTextDocument((document) => void this.read(document)));
    this.own.add(workspace.onDidCloseTextDocument(({ uri }) => this.problems.delete(uri)));
    this.lookAgain();
  }

  /** Undefined if the document isn't a render file in an open folder. Never rejects. */
  read(document: vscode.TextDocument): Promise<ReadFile | undefined> {
    const known = this.readings.get(document);
    if (known?.version === document.version) return known.read;
    const read = this.readAnew(document).catch((error: unknown) => {
      warnOnce(this.log, `Couldn’t read ${relativePath(document.uri)}: ${reasonOf(error)}`);
      return undefined;
    });
    this.readings.set(document, { version: document.version, read });
    return read;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async readAnew(document: vscode.TextDocument): Promise<ReadFile | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    if (!folder || !isRenderFile(document.uri.path)) return undefined;
    const { version } = document;
    const path = document.uri.path.slice(folder.path.length).replace(/^\//, '');
    const file = await readRenderFile(document.getText(), path, systemClock);
    const [broken] = file.isBroken ? file.problems : [];
    if (broken) warnOnce(this.log, `${relativePath(document.uri)} can’t be read: ${broken.code}`);
    const check = await this.checkOf(file);
    if (document.version === version && !document.isClosed)
      this.problems.set(
        document.uri,
        [...file.problems, ...check.problems].map((one) => diagnosticOf(document, one)),
      );
    const sound = file.renders.filter((render) => !check.unsound.has(render));
    return { file, folder, states: await statesOf(sound, this.picturesOf(folder), systemClock) };
  }

  private picturesOf(folder: vscode.Uri): Pictures {
    const id = folder.toString();
    const pictures = this.pictures.get(id) ?? picturesIn(folder, this.log);
    this.pictures.set(id, pictures);
    return pictures;
  }

  private async checkOf(file: RenderFile): Promise<ModelCheck> {
    const ids = [...new Set(file.renders.map(({ modelId }) => modelId))].slice(0, mostModels);
    const known = new Map(await Promise.all(ids.map(async (id) => [id, await this.modelOf(id)] as const)));
    return checkModels(file, (id) => known.get(id), systemClock);
  }

  /** Undefined while nothing is connected, or if the service doesn't respond. */
  private async modelOf(id: string): Promise<KnownModel> {
    try {
      return (await knownModel(this.session.model(id))) ?? 'none';
    } catch {
      return undefined;
    }
  }

  private lookSoon(): void {
    this.gathering ??= systemClock.after(gatherMs, () => {
      this.gathering = undefined;
      this.lookAgain();
    });
  }

  private lookAgain(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.readings.delete(document);
      void this.read(document);
    }
    this.changed.fire();
  }
}

function diagnosticOf(document: vscode.TextDocument, problem: Problem): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = problem.severity === 'error' ? Error : Warning;
  const diagnostic = new vscode.Diagnostic(rangeOf(document, problem), problemSentence(problem, vscode.l10n), severity);
  diagnostic.source = 'Model Catalog';
  diagnostic.code = problem.code;
  return diagnostic;
}
