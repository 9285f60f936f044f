import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Rhythm } from '../../base/rhythm';
import type { LiveQuote } from '../../catalog/liveQuote';
import type { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import type { Target } from '../../renders/record';
import type { DocumentLinks } from '../links/documentLinks';
import { renderAndInsert } from '../links/renderAndInsert';
import { imagesOf } from '../../files/givenImages';
import { fileNameOf } from '../../files/fileName';
import { Drafts } from '../models/model/drafts';
import { oneLine } from '../../base/plain';
import { sessionPrice, sessionQuote } from '../../compose/sessionQuote';
import { renderVariants } from '../compare/renderVariants';
import { pickPrompt, promptsBefore } from '../../compose/promptsBefore';
import { documentFile, documentFolder } from '../../editor/documentFile';
import { targetFile } from '../../editor/targetFile';
import { isOpen, type Targets } from '../rendering/targets';
import type { LoadedFoundation, Verbs } from '../../foundation';
import { FormPages } from './formPages';
import { FormPanels } from './formPanel';
import type { FormPort } from './model/formPort';
import { commands } from '../../editor/ids';
import type { LinkTarget } from './model/formTarget';
import { imagePort } from './imagePort';
import { LastEditor } from './lastEditor';
import type { OpenCompare } from '../compare/comparedPicture';

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
    newQuote: () => quoteAtRest(session, quotes),
    priceOf: sessionPrice(session, quotes),
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

/** A live price that waits until the person pauses, by the rhythm of their edits. */
function quoteAtRest(session: Session, quotes: Quotes): LiveQuote {
  const rhythm = new Rhythm(systemClock);
  const debounceMs = () => {
    rhythm.beat();
    return rhythm.restMs;
  };
  return sessionQuote(session, quotes, { debounceMs });
}

function portOf(
  foundation: LoadedFoundation,
  openCompare: OpenCompare,
  links: DocumentLinks,
  lastEditor: LastEditor,
  isShowing: (key: string) => boolean,
  whatFits: FormPort['whatFits'],
): FormPort {
  const { renders } = foundation;
  const { spend, targets } = renders;
  return {
    whatFits,
    openRecipe: async (uri) => vscode.commands.executeCommand(commands.howMade, vscode.Uri.parse(uri, true), true),
    render: async (order, place, said) => {
      // The price was on the button that was pressed.
      const record = await (place
        ? renderAndInsert(order, place, renders, links, 'ours', said)
        : spend.render(order, 'ours'));
      // The form shows the result, so no notification covers it, and no editor opens next to it.
      if (record && !record.target.replaces) renders.shows.set(record.key, () => isShowing(record.key));
      return record;
    },
    renderVariants: (orders, started) => renderVariants(orders, 'ours', foundation, openCompare, undefined, started),
    pickPrompt,
    linkPlace: ({ root }) => {
      const { place } = lastEditor;
      const folder = place && documentFolder(vscode.Uri.parse(place.uri, true));
      return root === undefined || root === folder?.uri.toString() ? place : undefined;
    },
    onDidChangeLinkPlace: lastEditor.onDidChange,
    defaultTarget: () => targets.shown(),
    isOpen,
    chooseTarget: (current) => targets.choose(current),
    previewName: (target, model, inputs) => targets.previewName(target, model, inputs),
  };
}
