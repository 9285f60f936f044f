import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, Disposables, type Lazy } from '../../base/disposable';
import { reasonOf } from '../../base/log';
import { frozenInputs } from '../../base/json';
import { formatCents, spokenCents } from '../../base/format';
import { escapeForIcons, plain } from '../../base/plain';
import { systemRandom } from '../../base/clock';
import type { Model } from '../../catalog/fields';
import { type DraftWords, showDrafts } from '../../compose/pricedBox';
import { linkTexts } from '../../documents/insertion';
import { documentFolder, readUpTo } from '../../editor/workspaceFiles';
import { commands } from '../../editor/ids';
import { money, sentenceOf } from '../../editor/words';
import { nodeDisk } from '../../files/disk';
import { throughLinks } from '../../files/folder';
import type { LoadedFoundation } from '../../foundation';
import type { Allowance } from '../../renders/consent';
import type { PricedOrder, Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { Documents } from '../links/documents';
import { searchMissing } from '../links/missingSearch';
import { shownIn, shownImage } from '../links/shownImage';
import { ImagesNotAllowed } from '../rendering/namedImages';
import { fateIn } from '../rendering/renderCommand';
import type { Renders } from '../rendering/renders';
import { AgentRenders, inTime, Refused, type Wanted } from './model/agentRenders';
import {
  type AgentRender,
  agentSentence,
  asSeen,
  checkResult,
  missingResult,
  modelResult,
  modelsResult,
  notChecked,
  orderResult,
  quoteResult,
  refusal,
} from './model/toolWords';
import { type AgentCall, type AgentImage, type AgentResult, type AgentTools, recordedName } from './model/agentTools';
import { type AgentItem, readInput, styledItem, stylesFor, type ToolInput } from './model/toolInputs';
import { toolList } from './model/toolList';

/** The most rows listed, and the most images returned. */
const mostRows = 20;
/** A larger image is returned only as a path. */
const largestImage = 1_500_000;
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** The agents' tools over the services of the window. */
export class Tools implements AgentTools, Disposable {
  readonly tools = toolList;
  private readonly ordered: AgentRenders;
  /** An allowance is granted in a tool's question, so there is none before. */
  private readonly status: AgentStatus;

  constructor(
    private readonly foundation: LoadedFoundation,
    private readonly documents: Lazy<Documents>,
  ) {
    const { renders, log } = foundation;
    const { orders, library, fileRenders, awaited } = renders;
    this.status = new AgentStatus(orders.allowance);
    this.ordered = new AgentRenders({
      ...{ orders, library, fileRenders, awaited, log, sentenceOf, pathOf },
      fate: (key) => fateIn(renders, key),
      showList: (list, agent, signal) => showDrafts(list, listWords(agent, orders.allowance.left), signal),
      linkTo: (file, document) => linkTo(file, document, renders, this.documents),
    });
  }

  dispose(): void {
    this.status.dispose();
  }

  async call(name: string, given: unknown, call: AgentCall): Promise<AgentResult> {
    return asSeen(await this.answered(name, given, call));
  }

  private async answered(name: string, given: unknown, call: AgentCall): Promise<AgentResult> {
    const not = name === 'checkRenders' ? notChecked : refusal;
    const read = readInput(name, given);
    if ('problem' in read) return not(read.problem);
    if (!vscode.workspace.isTrusted) return not('the workspace is in Restricted Mode. The user has to trust it first.');
    try {
      const answer = this.answer(read.input, call);
      // What was ordered is reported in time, however far it is.
      return await (read.input.name === 'render' ? answer : inTime(answer, call));
    } catch (error) {
      if (call.signal.aborted) return not('canceled.');
      if (error instanceof ImagesNotAllowed)
        return not(
          'the user hasn’t allowed these images to be sent. Don’t ask again: leave them out, or let the user decide.',
        );
      if (!(error instanceof Refused)) this.foundation.log.warn(`Tool ${name}: ${reasonOf(error)}`);
      return not(plain(agentSentence(error) ?? sentenceOf(error), 500));
    }
  }

  /** The cost of a call now, if everything in it can be priced. Otherwise rejects. */
  async price(given: unknown, call: AgentCall): Promise<readonly PricedOrder[]> {
    const read = readInput('render', given);
    if ('problem' in read || read.input.name !== 'render') return [];
    const wanted = await this.wantedOf(read.input.items, call, false);
    return Promise.all(wanted.map(({ draft }) => this.foundation.renders.orders.price(draft)));
  }

  private answer(input: ToolInput, call: AgentCall): Promise<AgentResult> {
    switch (input.name) {
      case 'listModels':
        return this.listModels(input);
      case 'quote':
        return this.quote(input.items, call);
      case 'render':
        return this.render(input.items, input.again === true, call);
      case 'checkRenders':
        return this.check(input.ids, input.images === true, call);
      case 'findMissingImages':
        return this.findMissing(input.path, call);
    }
  }

  private async listModels(input: Extract<ToolInput, { name: 'listModels' }>): Promise<AgentResult> {
    const { session, connection } = this.foundation;
    await connection.ready();
    connectedClient(session);
    if (input.modelId !== undefined) {
      const model = await session.model(input.modelId);
      return modelResult(model, stylesFor(model, this.foundation.styles.styles));
    }
    const words = (input.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const { items } = await session.models();
    const found = items.filter(({ id, title, description = '', kind }) => {
      const text = `${id} ${title} ${description}`.toLowerCase();
      return (input.kind === undefined || kind === input.kind) && words.every((word) => text.includes(word));
    });
    return modelsResult(found.slice(0, mostRows), found.length);
  }

  private async quote(items: readonly AgentItem[], call: AgentCall): Promise<AgentResult> {
    const { session, renders } = this.foundation;
    const wanted = await this.wantedOf(items, call);
    const orders = await Promise.all(wanted.map(({ draft }) => renders.orders.price(draft)));
    const prices = orders.map(({ modelId, shownCents }) => ({ modelId, cents: shownCents }));
    return quoteResult(prices, session.state.balance?.cents, renders.orders.allowance.left);
  }

  private async findMissing(path: string | undefined, call: AgentCall): Promise<AgentResult> {
    const { renders } = this.foundation;
    const where = path === undefined ? (await projectOf(call))?.uri : await uriOf(path, call);
    if (where && !vscode.workspace.getWorkspaceFolder(where))
      throw new Refused(`${plain(path ?? '')} isn’t in an open folder.`);
    const { links } = await this.documents.get();
    const found = await searchMissing(where, links, renders);
    const images = (found?.images ?? []).filter(({ doubt }) => !doubt);
    const missing = images.slice(0, mostRows).map((image) => ({
      file: pathOf(image.file),
      prompt: image.prompt,
      documents: image.documents.map(pathOf),
    }));
    return missingResult(missing, images.length, found?.isCut ?? false);
  }

  private async render(items: readonly AgentItem[], again: boolean, call: AgentCall): Promise<AgentResult> {
    const wanted = await inTime(this.wantedOf(items, call), call);
    const renders = await this.ordered.render(wanted, again, call);
    const notes = call.signal.aborted
      ? ['Canceled. What was sent before goes on, and may be charged.']
      : [`Files are in ${namesOf(await foldersFor(call))}.`];
    return { ...orderResult(renders, notes), images: await this.imagesOf(renders) };
  }

  private async check(ids: readonly string[], images: boolean, call: AgentCall): Promise<AgentResult> {
    const folders = (await foldersFor(call)).map(({ uri }) => uri.toString());
    const renders = await Promise.all(ids.map((id) => this.ordered.check(id, folders)));
    return { ...checkResult(renders), images: images ? await this.imagesOf(renders) : [] };
  }

  /** Small enough to be part of the response. */
  private async imagesOf(renders: readonly AgentRender[]): Promise<readonly AgentImage[]> {
    const images: AgentImage[] = [];
    for (const { id } of renders.filter((one) => one.file !== undefined)) {
      const { file, mediaType = '', record } = this.foundation.renders.library.ofRecord(id) ?? {};
      const bytes = record?.spooled?.bytes ?? Infinity;
      if (file === undefined || !shownTypes.has(mediaType) || bytes > largestImage) continue;
      const data = await readUpTo(vscode.Uri.parse(file, true), largestImage, this.foundation.log).catch(
        () => undefined,
      );
      if (data) images.push({ mimeType: mediaType, data, file: pathOf(file) });
    }
    return images;
  }

  /**
   * Asks the user about images of the project if `mayAsk`. Rejects with Refused, UserError, or ServiceError for what
   * can't be rendered as it is.
   */
  private async wantedOf(items: readonly AgentItem[], call: AgentCall, mayAsk = true): Promise<Wanted[]> {
    await this.foundation.connection.ready();
    connectedClient(this.foundation.session);
    const styled = await Promise.all(items.map((item, at) => this.styled(item, at)));
    const uriOfImage = (path: string) => uriOf(path, call);
    const named = styled.map(({ model, sent }) => ({ fields: model.fields, inputs: sent.inputs, uriOf: uriOfImage }));
    const naming = { agent: recordedName(call), mayAsk, asks: () => call.asks?.(), signal: call.signal };
    const inputs = await this.foundation.renders.namedImages.given(named, naming);
    return Promise.all(
      styled.map(async ({ item, model, sent }, at): Promise<Wanted> => {
        const target = sent.named(await this.targetOf(item, model, call));
        const draft = {
          intent: systemRandom.uuid(),
          modelId: model.id,
          inputs: frozenInputs(inputs[at] ?? sent.inputs),
          target,
          agent: recordedName(call),
        };
        await this.foundation.renders.orders.checkInputs(draft);
        const document = item.document === undefined ? undefined : await uriOf(item.document, call);
        return { draft, model, document: document?.toString() };
      }),
    );
  }

  private async styled(item: AgentItem, at: number) {
    const model = await this.foundation.session.model(item.modelId);
    const fields = model.fields.map(({ name }) => name);
    const unknown = Object.keys(item.inputs).find((name) => !fields.includes(name));
    if (unknown !== undefined && fields.length > 0)
      throw new Refused(
        `item ${at + 1} has an unknown input “${plain(unknown, 80)}”. Inputs: ${fields.map((name) => plain(name, 60)).join(', ')}.`,
      );
    const sent = styledItem(item, model, this.foundation.styles.styles);
    if ('problem' in sent) throw new Refused(`item ${at + 1}: ${sent.problem}`);
    return { item, model, sent };
  }

  private async targetOf({ file }: AgentItem, { kind }: Model, call: AgentCall): Promise<Target> {
    const { targets } = this.foundation.renders;
    if (file === undefined) return targets.at(vscode.Uri.joinPath((await baseOf(call)).uri, targets.default().folder));
    const hasEnding = /\.[^./\\]+$/.test(file);
    return targets.file(await uriOf(hasEnding ? file : `${file}.${kind === 'text' ? 'md' : 'png'}`, call));
  }
}

/** The link that the document (URI) gets for a saved file. */
async function linkTo(
  file: string,
  document: string,
  renders: Renders,
  documents: Lazy<Documents>,
): Promise<string | undefined> {
  try {
    const shown = await shownImage(vscode.Uri.parse(file, true), renders);
    const { links } = await documents.get();
    const place = { uri: vscode.Uri.parse(document, true), languageId: '' };
    const { syntax, parts } = (await shownIn(place, shown, links)) ?? {};
    return syntax && parts && linkTexts(syntax, [parts]);
  } catch {
    // The file is useful without its link too.
    return undefined;
  }
}

/** `agent`: who asks, a claim. `left`: of the allowance, cents. */
function listWords(agent: string, left: number | undefined): DraftWords {
  const asks = vscode.l10n.t('“{0}” wants to render these. Select which ones to allow.', escapeForIcons(agent, 40));
  const allowance = left === undefined ? '' : vscode.l10n.t('Agents’ remaining allowance: {0}.', money(left));
  return {
    title: (ticked, all, sum) => vscode.l10n.t('Render for an Agent · {0} of {1} · {2}', ticked, all, sum),
    placeholder: [asks, allowance].filter(Boolean).join(' '),
  };
}

/**
 * An absolute path, or one relative to the folder that the agent works in. Rejects as `baseOf`, and with Refused for a
 * file of another open folder than the agent's.
 */
async function uriOf(path: string, call: AgentCall): Promise<vscode.Uri> {
  const uri = await anyUriOf(path, call);
  const [own, folder] = [await projectOf(call), vscode.workspace.getWorkspaceFolder(uri)];
  if (own && folder && own !== folder) throw new Refused(`${plain(path)} isn’t in the project that you work in.`);
  return uri;
}

/** The workspace folder that an agent says it works in; undefined if it says none, or none that is open. */
async function projectOf({ folder }: AgentCall): Promise<vscode.WorkspaceFolder | undefined> {
  return folder === undefined ? undefined : vscode.workspace.getWorkspaceFolder(await asOpened(folder));
}

/** The workspace folders that an agent may hear of: its own, or all if it works in none of them, as the editor's do. */
async function foldersFor(call: AgentCall): Promise<readonly vscode.WorkspaceFolder[]> {
  const own = await projectOf(call);
  return own ? [own] : (vscode.workspace.workspaceFolders ?? []);
}

async function anyUriOf(path: string, call: AgentCall): Promise<vscode.Uri> {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (isAbsolute(path)) return first && first.uri.scheme !== 'file' ? first.uri.with({ path }) : asOpened(path);
  const { folder } = call;
  const isInside = folder !== undefined && vscode.workspace.getWorkspaceFolder(await asOpened(folder)) !== undefined;
  const uri = vscode.Uri.joinPath(isInside ? vscode.Uri.file(folder) : (await baseOf(call)).uri, path);
  return uri.scheme === 'file' ? asOpened(uri.fsPath) : uri;
}

/** The workspace folder that an agent works in. Rejects with Refused when that is ambiguous. */
async function baseOf(call: AgentCall): Promise<vscode.WorkspaceFolder> {
  const open = vscode.workspace.workspaceFolders ?? [];
  const own = await projectOf(call);
  const document = vscode.window.activeTextEditor?.document.uri;
  const active = document && documentFolder(document);
  const base = own ?? (open.length === 1 ? open[0] : active);
  if (base) return base;
  throw new Refused(
    open.length === 0
      ? 'no folder is open in the editor. The user has to open one first.'
      : `several folders are open (${namesOf(open)}). Give absolute paths.`,
  );
}

/** A local path as it's spelled from the open folder: agents may know that by its real path, or by another link. */
async function asOpened(path: string): Promise<vscode.Uri> {
  const uri = vscode.Uri.file(path);
  if (vscode.workspace.getWorkspaceFolder(uri)) return uri;
  const open = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const local = open.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const spelled = await throughLinks(nodeDisk, uri.fsPath, local);
  return spelled === undefined ? uri : vscode.Uri.file(spelled);
}

/** The path of a local file, else its URI. */
function pathOf(uri: string): string {
  const parsed = vscode.Uri.parse(uri, true);
  return parsed.scheme === 'file' ? parsed.fsPath : parsed.toString(true);
}

/** Folders in words. */
function namesOf(folders: readonly vscode.WorkspaceFolder[]): string {
  return folders.map(({ uri }) => plain(pathOf(uri.toString()), 400)).join(', ');
}

/** The agents' remaining allowance in the Status Bar, while there is one; a click stops them. */
class AgentStatus implements Disposable {
  private readonly own = new Disposables();
  private readonly item = this.own.add(
    vscode.window.createStatusBarItem('modelCatalog.agents', vscode.StatusBarAlignment.Left, 9),
  );

  constructor(private readonly allowance: Allowance) {
    this.item.name = vscode.l10n.t('Model Catalog: Agents');
    this.item.command = commands.stopAgents;
    this.own.add(allowance.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.own.dispose();
  }

  private update(): void {
    const { left } = this.allowance;
    if (left === undefined) return this.item.hide();
    const { language } = vscode.env;
    this.item.text = `$(robot) ${vscode.l10n.t('Agents: {0} left', formatCents(left, language))}`;
    this.item.tooltip = vscode.l10n.t(
      'Agents can spend up to {0} more in this window without asking. Select to revoke.',
      formatCents(left, language),
    );
    this.item.accessibilityInformation = { label: vscode.l10n.t('Agents: {0} left', spokenCents(left, language)) };
    this.item.show();
  }
}
