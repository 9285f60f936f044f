import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Rhythm } from '../../base/concurrency';
import { type Disposable, Disposables } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { oneLine } from '../../base/plain';
import { systemRandom } from '../../base/random';
import type { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import { Offer } from '../../compose/offer';
import { pickPrompt, promptsBefore } from '../../compose/promptsBefore';
import type { LinkPlace } from '../../documents/link';
import { cellOf, documentFile, documentFolder, targetFile } from '../../editor/workspaceFiles';
import { commands } from '../../editor/ids';
import { fileNameOf } from '../../files/names';
import { imagesOf } from '../../files/givenImages';
import type { LoadedFoundation, Verbs } from '../../foundation';
import type { Target } from '../../renders/record';
import type { OpenCompare } from '../compare/comparedPicture';
import { renderVariants } from '../compare/compareActions';
import type { DocumentLinks } from '../links/documentLinks';
import { linkPlaceAt } from '../links/linkPlace';
import { renderAndInsert } from '../links/renderAndInsert';
import { Drafts } from '../models/model/drafts';
import { isOpenTarget, type Targets } from '../rendering/targets';
import { FormPages, FormPanels } from './formPanel';
import { imagePort } from './imagePort';
import type { FormHost } from './model/formHost';
import type { LinkTarget } from './model/formTarget';

/** The forms of this window. */
export function openForms(foundation: LoadedFoundation, links: DocumentLinks, verbs: Verbs): FormPanels {
  const { context, session, quotes, connection, renders, styles, log } = foundation;
  const { workspaceState, globalState } = context;
  const lastEditor = new LastEditor();
  const panels: FormPanels = new FormPanels({
    pages: new FormPages(context),
    session,
    connection,
    library: renders.library,
    viewers: renders.viewers,
    usualMs: ({ record }) => record && renders.usualMs(record),
    newOffer: () => offerAtRest(session, quotes),
    earlierPrompts: (kind) => promptsBefore(renders.library, kind),
    drafts: new Drafts(workspaceState, globalState),
    styles,
    port: portOf(
      foundation,
      verbs.openCompare,
      links,
      lastEditor,
      (key) => panels.isShowing(key),
      async (modelId, inputs, target) => {
        const fit = await verbs.whatFits(modelId, inputs);
        if (!fit || fit.model.id === modelId) return fit?.inputs;
        await panels.open(fit.model.id, fit.inputs, { target });
        return undefined;
      },
    ),
    images: imagePort(imagesOf(context)),
    linkTarget: (ordered) => linkTarget(ordered, renders.targets, links),
    lastEditor,
    clock: systemClock,
    log,
  });
  return panels;
}

/** If ordered again it would go to that file, so an edited order goes there too. */
async function linkTarget(ordered: Target, targets: Targets, links: DocumentLinks): Promise<LinkTarget | undefined> {
  const target = await targets.again(ordered);
  const file = targetFile(target);
  // A document here can't name a file of another project.
  if (!file || !vscode.workspace.getWorkspaceFolder(file)) return undefined;
  const document = await links.documentWith(file);
  return {
    target,
    path: oneLine(vscode.workspace.asRelativePath(file), 200),
    document: document && oneLine(fileNameOf(documentFile(document.uri).toString()), 60),
  };
}

/** An offer that is priced when the user pauses, by the rhythm of their edits. */
function offerAtRest(session: Session, quotes: Quotes): Offer {
  const rhythm = new Rhythm(systemClock);
  const debounceMs = () => {
    rhythm.beat();
    return rhythm.restMs;
  };
  return new Offer(quotes, () => session.client, systemClock, systemRandom, debounceMs);
}

function portOf(
  foundation: LoadedFoundation,
  openCompare: OpenCompare,
  links: DocumentLinks,
  lastEditor: LastEditor,
  isShowing: (key: string) => boolean,
  whatFits: FormHost['whatFits'],
): FormHost {
  const { renders } = foundation;
  const { targets } = renders;
  return {
    whatFits,
    openRecipe: async (uri) => vscode.commands.executeCommand(commands.howMade, vscode.Uri.parse(uri, true), true),
    render: async (orders, place, said, placed) => {
      const [order, ...others] = orders;
      if (!order) return;
      if (others.length > 0) {
        await renderVariants(orders, 'user', foundation, openCompare, undefined, placed);
        return;
      }
      // The price was on the button that was pressed.
      const record = await (place
        ? renderAndInsert(order, place, renders, links, 'user', said)
        : renders.orders.render(order, 'user'));
      // The form shows the result, so no notification covers it, and no editor opens next to it.
      if (record && !record.target.replaces) renders.shows.set(record.key, () => isShowing(record.key));
      if (record) placed(record);
    },
    pickPrompt,
    linkPlace: ({ root }) => {
      const { place } = lastEditor;
      const folder = place && documentFolder(vscode.Uri.parse(place.uri, true));
      return root === undefined || root === folder?.uri.toString() ? place : undefined;
    },
    onDidChangeLinkPlace: lastEditor.onDidChange,
    defaultTarget: () => targets.shown(),
    isOpen: isOpenTarget,
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, model, inputs) => targets.previewName(target, model, inputs),
  };
}

/**
 * The editor the user was last writing in, even while a form or a tree has the focus, or the form's tab hides the
 * document.
 */
class LastEditor implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  private last: { readonly document: vscode.TextDocument; readonly cursor: number } | undefined;

  /** `place` may have changed. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const { window, workspace } = vscode;
    this.own.add(window.onDidChangeActiveTextEditor((editor) => this.take(editor)));
    this.own.add(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor || textEditor.document === this.last?.document)
          this.take(textEditor);
      }),
    );
    this.own.add(workspace.onDidChangeTextDocument((change) => this.follow(change)));
    this.own.add(
      workspace.onDidCloseTextDocument((document) => {
        if (document === this.last?.document) this.put(undefined);
      }),
    );
    this.take(window.activeTextEditor);
  }

  /** The place for a link there; undefined when none is possible. */
  get place(): LinkPlace | undefined {
    return this.last && linkPlaceAt(this.last.document, this.last.document.positionAt(this.last.cursor));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Output and similar documents are shown in editors too, but without a column, as a notebook's cells are. */
  private take(editor: vscode.TextEditor | undefined): void {
    if (!editor || (editor.viewColumn === undefined && !cellOf(editor.document.uri))) return;
    const { document, selection } = editor;
    this.put({ document, cursor: document.offsetAt(selection.end) });
  }

  /** The cursor of a hidden document moves with edits before it. */
  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.last?.document) return;
    let { cursor } = this.last;
    for (const { rangeOffset, rangeLength, text } of contentChanges)
      if (rangeOffset <= cursor) cursor = Math.max(rangeOffset, cursor - rangeLength) + text.length;
    this.put({ document, cursor });
  }

  private put(last: typeof this.last): void {
    this.last = last;
    this.changed.fire();
  }
}
