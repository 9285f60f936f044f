import type { Clock } from '../base/clock';
import { Owned, type Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { JsonObject } from '../base/json';
import type { Log } from '../base/log';
import type { Random } from '../base/random';
import type { CatalogClient } from '../catalog/client';
import { checkInputs, fittedValues, inputsOf, valuesFrom, type FieldValues } from '../catalog/fields';
import type { LiveQuote } from '../catalog/liveQuote';
import type { Session } from '../catalog/session';
import type { FieldProblem } from '../catalog/errors';
import type { Model } from '../catalog/types';
import { checkTemplate } from '../files/template';
import {
  readFromForm,
  type FromForm,
  type Kept,
  type QuoteView,
  type Request,
  type ResultAction,
  type TargetLink,
  type ToForm,
} from '../form/messages';
import type { FormStrings } from '../form/strings';
import type { Library } from '../renders/library';
import type { RenderRecord, Target } from '../renders/record';
import type { PriceWish } from './comparePrices';
import type { Drafts } from './drafts';
import type { FormPort } from './formPort';
import type { LinkPlace } from './linkPlace';
import { LiveOffer } from './liveOffer';
import { oneLine } from './plain';
import { resultView, sendingMs, type ResultViewWorld } from './resultView';
import { shownModel } from './shownModel';
import type { Remedy } from './userError';

/** What a conversation needs of the editor and of the rest of the extension. */
export interface FormWorld extends Omit<ResultViewWorld, 'model' | 'now'> {
  readonly session: Pick<Session, 'state' | 'onDidChange' | 'model' | 'refreshBalance'> & {
    readonly client: Pick<CatalogClient, 'account'> | undefined;
  };
  readonly library: Pick<Library, 'get' | 'onDidChange'>;
  readonly quote: Pick<LiveQuote, 'ask' | 'renew' | 'state' | 'onDidChange' | 'dispose'>;
  readonly port: FormPort;
  readonly drafts: Drafts;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly strings: FormStrings;
  /** The language money is written in. */
  readonly locale: string;
  /** Connects if nothing is connected yet. Never rejects. */
  start(): Promise<void>;
  /** What went wrong, and what to do, for a person. */
  sentence(error: unknown): string;
  /** What may be done about it; undefined when we know of nothing. */
  remedy(error: unknown): Remedy | undefined;
  /** The target's folder in words; undefined when no folder is open. */
  folder(target: Target): string | undefined;
  /** Does to a result what its command does. */
  act(action: ResultAction, id: string): Promise<unknown>;
  /** To the webview; lost while it is hidden. */
  post(message: ToForm): void;
}

/** How many renders a form shows. */
const mostResults = 6;
/** Typing rests this long before it is kept, ms. */
const keepAfterMs = 250;

/**
 * The host's side of one form. It owns the values, and with them the price and the order: the webview only shows what it is told,
 * and every time it starts anew it is told everything. Knows no editor.
 */
export class FormConversation implements Disposable {
  private readonly own = new Owned();
  private model: Model | undefined;
  private values: FieldValues | undefined;
  /** Inputs to show as soon as the model is known. */
  private pendingInputs: JsonObject | undefined;
  /** What the service refused of the values of a revision: told again to a webview that starts anew. */
  private refused: { readonly revision: number; readonly problems: readonly FieldProblem[] } | undefined;
  private revision = 0;
  /** The last order, until the service has taken or refused it. */
  private unanswered: { readonly key: string; readonly revision: number } | undefined;
  /** What was offered with the last problem. */
  private remedy: Remedy | undefined;
  private target: Target | undefined;
  private targetChosen = false;
  /** A link to each result is inserted where the person was writing last. */
  private insertsLink = false;
  private shownLink: string | undefined;
  private results: readonly string[] = [];
  private readonly offer: LiveOffer;
  private loading: Promise<void> | undefined;
  private keeping: Disposable | undefined;
  private shownResults = '';
  private gone = false;

  constructor(
    readonly modelId: string,
    private readonly world: FormWorld,
    /** What the webview itself kept over a reload of the window. After a crash it may be older than the draft. */
    kept?: Kept,
  ) {
    this.offer = this.own.add(new LiveOffer(world.quote, () => world.session.client?.account, world.random));
    const draft = world.drafts.read(modelId);
    this.values = kept && kept.at >= (draft?.at ?? 0) ? kept.values : draft?.values;
    this.results = draft?.results ?? [];
    this.targetChosen = draft?.target !== undefined;
    this.target = draft?.target ?? world.port.defaultTarget();
    this.own.add(this.offer.onDidChange(() => this.postQuote()));
    this.own.add(world.session.onDidChange(() => this.followSession()));
    this.own.add(world.library.onDidChange(() => this.followLibrary()));
    this.own.add(world.port.onDidChangeLinkPlace(() => this.followLinkPlace()));
  }

  /** A message of the webview. Never throws; what is none of the set changes nothing. */
  receive(data: unknown): void {
    const message = readFromForm(data);
    if (!message) return this.world.log.warn(`form ${this.modelId}: a message that is none of the set was dropped`);
    if ('request' in message) void this.answer(message);
    else this.tell(message);
  }

  /** Fills the form with inputs sent before, and leads to the first field that the service refused. */
  show(inputs: JsonObject, refused: readonly FieldProblem[] = []): void {
    const revision = this.revision + 1;
    this.refused = refused.length > 0 ? { revision, problems: refused } : undefined;
    if (!this.model) {
      this.revision = revision;
      this.pendingInputs = inputs;
      return;
    }
    this.take(valuesFrom(this.model.fields, inputs));
    this.postRefused();
  }

  /** What it would render now, and where to; the inputs are undefined while they are not complete. */
  get wish(): PriceWish {
    return { modelId: this.modelId, inputs: this.inputs(), target: this.target ?? { folder: '', fileName: '' } };
  }

  /** The settings or the open folders changed. */
  retarget(): void {
    if (!this.targetChosen) this.target = this.world.port.defaultTarget();
    this.postTarget();
  }

  dispose(): void {
    this.gone = true;
    this.keepNow();
    this.own.dispose();
  }

  private tell(message: Exclude<FromForm, Request>): void {
    try {
      if (message.type === 'ready') this.begin();
      else this.edit(message.revision, message.values);
    } catch (error) {
      this.world.log.error(`form ${this.modelId}: ${reasonOf(error)}`, error);
    }
  }

  /** Every request gets its one answer, whatever happens. */
  private async answer(message: Request): Promise<void> {
    let problem: string | undefined;
    let remedy: Remedy | undefined;
    try {
      problem = await this.fulfil(message);
    } catch (error) {
      this.world.log.error(`form ${this.modelId}, ${message.type}: ${reasonOf(error)}`, error);
      problem = this.world.sentence(error);
      remedy = this.world.remedy(error);
    }
    this.remedy = remedy;
    this.post({ type: 'answer', request: message.request, problem, remedy: remedy?.title });
  }

  /** What is to be said to the person, if anything. */
  private fulfil(message: Request): string | undefined | Promise<string | undefined> {
    switch (message.type) {
      case 'render':
        return this.order(message.revision, message.intent);
      case 'action':
        return this.act(message.action, message.id);
      case 'chooseTarget':
        return this.chooseTarget();
      case 'fileName':
        return this.rename(message.fileName);
      case 'insertLink':
        this.insertsLink = message.insert;
        this.postTarget();
        return undefined;
      case 'askAgain':
        this.offer.renew();
        return undefined;
      case 'refreshBalance':
        return this.world.session.refreshBalance().then(() => undefined);
      case 'remedy':
        return Promise.resolve(this.remedy?.run()).then(() => undefined);
      case 'whatFits':
        return this.fit();
      case 'reload':
        return this.load().then(() => undefined);
    }
  }

  /** The webview knows nothing: tell it everything. */
  private begin(): void {
    this.shownResults = '';
    this.post({ type: 'strings', strings: this.world.strings, locale: this.world.locale });
    this.postAccount();
    if (this.model) this.postForm(this.model);
    else void this.load();
  }

  /** One at a time. Never rejects: a failure is shown in the form's place. */
  private load(): Promise<void> {
    this.loading ??= this.read().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async read(): Promise<void> {
    try {
      await this.world.start();
      const model = await this.world.session.model(this.modelId);
      if (this.gone) return;
      this.model = model;
      this.values = this.pendingInputs
        ? valuesFrom(model.fields, this.pendingInputs)
        : fittedValues(model.fields, this.values ?? []);
      this.pendingInputs = undefined;
      this.postForm(model);
    } catch (error) {
      this.world.log.warn(`form ${this.modelId}: ${reasonOf(error)}`);
      this.post({ type: 'unavailable', problem: this.world.session.state.problem ?? this.world.sentence(error) });
    }
  }

  private postForm(model: Model): void {
    const { id, title, description, kind, fields } = shownModel(model);
    this.post({ type: 'model', model: { id, title, description, kind, fields: [...fields] as never } });
    this.postDraft();
    this.postRefused();
    this.postResults();
    this.ask();
  }

  private take(values: FieldValues): void {
    this.values = values;
    this.revision += 1;
    this.postDraft();
    this.ask();
    this.keepSoon();
  }

  /** An edit the host has overtaken with a draft of its own is void; the webview has been told. */
  private edit(revision: number, values: FieldValues): void {
    if (revision <= this.revision || !this.model) return;
    this.revision = revision;
    this.values = values;
    this.ask();
    this.keepSoon();
  }

  private inputs(): JsonObject | undefined {
    if (!this.model || !this.values || checkInputs(this.model.fields, this.values).length > 0) return undefined;
    return inputsOf(this.model.fields, this.values);
  }

  /** Asks for the price of the values at hand, and says how it stands for their revision even when nothing changed. */
  private ask(): void {
    this.offer.ask(this.modelId, this.inputs());
    this.postQuote();
    this.postTarget();
  }

  private async order(revision: number, intent: string): Promise<string | undefined> {
    // The same press twice: the first one counts.
    if (this.offer.isTaken(intent)) return undefined;
    const offer = revision === this.revision ? this.offer.take(intent) : undefined;
    if (!offer) return this.world.strings.priceMoved;
    try {
      const place = this.insertsLink ? this.linkPlace() : undefined;
      const record = await this.world.port.render({ ...offer, target: this.wish.target }, place);
      if (record) this.ordered(record, revision);
    } finally {
      this.ask();
    }
    return undefined;
  }

  private ordered(record: RenderRecord, revision: number): void {
    this.results = [record.key, ...this.results].slice(0, mostResults);
    this.unanswered = { key: record.key, revision };
    this.followLibrary();
    this.own.add(this.world.clock.after(sendingMs, () => this.postResults()));
    this.keepNow();
    if (this.values) void this.world.drafts.keepRendered(this.modelId, this.values, this.world.clock.now());
  }

  /** A refusal comes some time after the order; its fields are those of the values ordered. */
  private followLibrary(): void {
    this.postResults();
    const entry = this.unanswered && this.world.library.get(this.unanswered.key);
    if (!this.unanswered || !entry || entry.group === 'active' || entry.state === 'planned') return;
    const { revision } = this.unanswered;
    this.unanswered = undefined;
    if (entry.state === 'refused') this.postProblems(entry.problem?.fields ?? [], revision, true);
  }

  private async act(action: ResultAction, id: string): Promise<undefined> {
    // Only what this form shows: the webview cannot name other renders.
    if (!this.results.includes(id)) return;
    const outcome = await this.world.act(action, id);
    const key = action === 'renderAgain' ? keyOf(outcome) : undefined;
    if (key === undefined) return;
    this.results = [key, ...this.results.filter((other) => other !== key)].slice(0, mostResults);
    this.postResults();
    this.keepNow();
  }

  private async fit(): Promise<undefined> {
    const inputs = this.inputs();
    const fit = inputs && (await this.world.port.whatFits(this.modelId, inputs));
    if (fit) this.show(fit);
  }

  private async chooseTarget(): Promise<undefined> {
    const chosen = this.target && (await this.world.port.chooseTarget(this.target));
    if (chosen) this.aim(chosen);
  }

  private rename(fileName: string): string | undefined {
    const { strings } = this.world;
    const problem = checkTemplate(fileName);
    if (problem?.kind === 'separator') return strings.nameSeparator.replace('{0}', problem.character);
    if (problem) return strings.nameUnknown.replace('{0}', `\${${problem.variable}}`);
    const standard = this.world.port.defaultTarget()?.fileName;
    const name = fileName.trim() === '' ? standard : fileName;
    if (this.target && name !== undefined) this.aim({ ...this.target, fileName: name });
    return undefined;
  }

  private aim(target: Target): void {
    this.target = target;
    this.targetChosen = true;
    this.postTarget();
    this.keepSoon();
  }

  /** Only pictures are shown by links. */
  private linkPlace(): LinkPlace | undefined {
    return this.target && this.model?.kind === 'image' ? this.world.port.linkPlace(this.target) : undefined;
  }

  private linkView(): TargetLink | undefined {
    const place = this.linkPlace();
    return place && { document: oneLine(place.name, 60), line: place.line, insert: this.insertsLink };
  }

  /** The cursor moves with every key: told only when it says something else. */
  private followLinkPlace(): void {
    if (JSON.stringify(this.linkView()) !== this.shownLink) this.postTarget();
  }

  private followSession(): void {
    this.postAccount();
    const { client, state } = this.world.session;
    // Another account, maybe another service: the fields too are not known to be the same.
    if (this.offer.follow()) {
      if (client) void this.load();
    } else if (!this.model && state.status === 'connected') void this.load();
    else this.offer.tryAgain(state);
  }

  private postDraft(): void {
    if (this.values) this.post({ type: 'draft', revision: this.revision, values: this.values as never });
  }

  private postQuote(): void {
    if (!this.model) return;
    const quote = this.quoteView();
    this.post({ type: 'quote', revision: this.revision, intent: this.offer.intent, quote });
    const { state } = this.offer;
    if (state.status === 'failed') this.postProblems(state.error.fields, this.revision, false);
  }

  private quoteView(): QuoteView {
    const { state } = this.offer;
    switch (state.status) {
      case 'priced':
        return { status: 'priced', costCents: state.costCents };
      case 'failed':
        return { status: 'failed', problem: this.world.sentence(state.error) };
      default:
        return { status: state.status };
    }
  }

  /** Only problems of fields the form has: what is said of others is in the sentence. */
  private postProblems(problems: readonly FieldProblem[], revision: number, focus: boolean): void {
    const known = problems
      .filter(({ field }) => this.model?.fields.some((own) => own.name === field))
      .map(({ field, message }) => ({ field, message: oneLine(message, 400) }));
    if (known.length > 0) this.post({ type: 'problems', revision, focus, problems: known });
  }

  private postRefused(): void {
    if (this.refused) this.postProblems(this.refused.problems, this.refused.revision, true);
  }

  private postAccount(): void {
    const { balance, place, quietUntil } = this.world.session.state;
    const waitMs = quietUntil === undefined ? undefined : Math.max(0, Math.round(quietUntil - this.world.clock.now()));
    this.post({ type: 'account', balanceCents: balance?.cents, sandbox: place?.sandbox === true, waitMs });
  }

  private postTarget(): void {
    if (!this.model || !this.values) return;
    const { target } = this;
    if (!target) {
      return this.post({ type: 'target', target: { folder: '', hasFolder: false, fileName: '', preview: '' } });
    }
    const preview = this.world.port.previewName(target, this.modelId, inputsOf(this.model.fields, this.values));
    const folder = this.world.folder(target);
    const link = this.linkView();
    this.shownLink = JSON.stringify(link);
    this.post({
      type: 'target',
      target: {
        folder: folder ?? '',
        hasFolder: folder !== undefined,
        fileName: target.fileName,
        preview,
        ...(link && { link }),
      },
    });
  }

  private postResults(): void {
    const world: ResultViewWorld = { ...this.world, model: this.model, now: () => this.world.clock.now() };
    const views = this.results.flatMap((id) => {
      const entry = this.world.library.get(id);
      return entry ? [resultView(entry, world)] : [];
    });
    // The library changes for every render of the window; time alone is no change, as the webview counts it itself.
    const shown = JSON.stringify(views.map((view) => ({ ...view, elapsedMs: undefined })));
    if (shown === this.shownResults) return;
    this.shownResults = shown;
    this.post({ type: 'results', results: views });
  }

  private post(message: ToForm): void {
    if (!this.gone) this.world.post(message);
  }

  private keepSoon(): void {
    this.keeping?.dispose();
    this.keeping = this.world.clock.after(keepAfterMs, () => this.keepNow());
  }

  private keepNow(): void {
    this.keeping?.dispose();
    if (!this.values) return;
    const target = this.targetChosen ? this.target : undefined;
    const at = this.world.clock.now();
    void this.world.drafts.keep(this.modelId, { values: this.values, at, results: this.results, target });
  }
}

/** The key of a render a command started, if that is what it returned. */
function keyOf(outcome: unknown): string | undefined {
  const key = typeof outcome === 'object' && outcome !== null && 'key' in outcome ? outcome.key : undefined;
  return typeof key === 'string' ? key : undefined;
}
