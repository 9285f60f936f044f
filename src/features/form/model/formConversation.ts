import type { Clock, Random } from '../../../base/clock';
import { type Disposable, Disposables, type Event } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import type { GivenImage } from '../../../base/givenImage';
import type { JsonObject } from '../../../base/json';
import type { CatalogClient } from '../../../catalog/client';
import type { FieldProblem } from '../../../catalog/errors';
import {
  type Field,
  type FieldValue,
  type FieldValues,
  fittedValues,
  type ImageItem,
  imageItems,
  initialValues,
  type Model,
  type ModelKind,
  imagePlaces,
  mostImages,
  promptField,
  promptOf,
  valueOfImages,
  valuesFrom,
} from '../../../catalog/fields';
import type { Session } from '../../../catalog/session';
import type { ExampleView, FormStrings, ToForm, VariantsView } from '../page/formMessages';
import { readFromForm, type FromForm, type FormRequest, type KeptForm } from '../../../editor/formRequests';
import type { ActionView } from '../../../editor/page/controls';
import type { Library, LibraryEntry } from '../../../renders/library';
import type { RenderRecord, Target } from '../../../renders/record';
import { hasText, type DraftContent, type Drafts } from '../../models/model/drafts';
import { oneLine } from '../../../base/plain';
import { Composer, type ComposerDeps } from '../../../compose/composer';
import { justOne, type DraftRequest } from '../../../compose/offer';
import { isVariable } from '../../../compose/varying';
import type { Remedy } from '../../../editor/userError';
import { DraftKeeper, type FormHost, quoteView, shownModel } from './formHost';
import { actionOn } from '../../rendering/model/actions';
import type { ActionId } from '../../../editor/ids';
import { mostExamples } from './examples';
import type { UsedModels } from '../../models/model/keptModels';
import { holdsImages } from '../../../files/recordedImages';
import { FormImages, type FormImageFiles, type TakenImage } from './formImages';
import { FormResults, moreImages, type ResultViewDeps } from './resultView';
import { FormStyle } from './formStyle';
import { FormTarget, type LinkTarget } from './formTarget';

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface FormDeps extends ComposerDeps, Omit<ResultViewDeps, 'model' | 'now' | 'isOffline'> {
  readonly session: ComposerDeps['session'] &
    Pick<Session, 'model' | 'refreshBalance'> & { readonly client: Pick<CatalogClient, 'probe'> | undefined };
  readonly library: Pick<Library, 'get' | 'onDidChange'>;
  readonly postponed: ResultViewDeps['postponed'] & { readonly onDidChange: Event<void> };
  readonly host: FormHost;
  readonly images: FormImageFiles;
  /** The URL of a kept image, valid only in the webview. */
  imageUrl(image: GivenImage): string;
  readonly drafts: Drafts;
  readonly usedModels: Pick<UsedModels, 'keep' | 'instead'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly strings: FormStrings;
  /** The locale for money. */
  readonly locale: string;
  /** The failure and the next step, worded for a user. */
  sentence(error: unknown): string;
  /** A possible remedy; undefined when none is known. */
  remedy(error: unknown): Remedy | undefined;
  /** The target's folder, for display; undefined when no folder is open. */
  folder(target: Target): string | undefined;
  /** Runs an action's command on a result. */
  act(action: ActionId, id: string): Promise<unknown>;
  /** The earlier prompts of this project for models of a kind, the latest first. */
  earlierPrompts(kind: ModelKind | undefined): readonly string[];
  /** Images that the model made for this project, each of another prompt, the latest first. */
  earlierImages(modelId: string): readonly LibraryEntry[];
  /** The URL of a small version of the entry's image in the webview; undefined when it has none that can be shown. */
  thumbnail(entry: LibraryEntry): string | undefined;
  /** The actions that the form offers for results. */
  readonly actions: readonly ActionView[];
  /** The model's name was read. */
  entitle(title: string): void;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToForm): void;
}

/** Nobody decides on more of the same sooner, ms. */
const secondPressMs = 2000;

/**
 * The host's side of one form. It owns the values, and with them the price and the order. The webview shows only what
 * it receives, and receives everything again after each restart. Independent of the editor.
 */
export class FormConversation implements Disposable {
  private readonly own = new Disposables();
  private readonly draft: Composer;
  /** The values that others replaced, until the next change: the user can have them back. */
  private before: FieldValues | undefined;
  /** An image to use once the model is loaded. */
  private pendingImage: GivenImage | undefined;
  /** The service's errors for the values of a revision: sent again to a restarted webview. */
  private refused: { readonly revision: number; readonly problems: readonly FieldProblem[] } | undefined;
  private revision = 0;
  /** The last order, until the service accepted or rejected it. */
  private unanswered: { readonly key: string; readonly revision: number } | undefined;
  /** The remedy offered with the last problem. */
  private remedy: Remedy | undefined;
  private readonly target: FormTarget;
  private readonly results: FormResults;
  private readonly images: FormImages;
  private shownVariants: string | undefined;
  private readonly style: FormStyle;
  private readonly keeper: DraftKeeper;
  /** The user did something in the form's page since others filled it in: no command can. */
  private isUsed = false;
  /** The model as it was kept, and not as the service has it. */
  private kept: Model | undefined;
  private isRenderingMore = false;
  private gone = false;

  constructor(
    readonly modelId: string,
    private readonly deps: FormDeps,
    /** The state that the webview kept over a reload of the window. After a crash it may be older than the draft. */
    kept?: KeptForm,
  ) {
    this.draft = new Composer(deps, deps.host, {
      find: () => this.find(),
      found: (model) => this.loaded(model),
      failed: (error) => this.unavailable(error),
      linkPlace: () => this.target.linkPlace,
    });
    const stored = deps.drafts.read(modelId);
    this.draft.kept = kept && kept.at >= (stored?.at ?? 0) ? kept.values : stored?.values;
    // A new form starts with the style chosen last.
    if (stored) this.draft.style.use(stored.style);
    this.draft.target.choose(stored?.target);
    this.draft.target.renew();
    this.results = new FormResults(deps.library, stored?.results ?? [], stored?.variants);
    this.target = new FormTarget(deps, this.draft);
    this.style = new FormStyle(this.draft);
    this.images = new FormImages(deps.images, deps.strings, deps.locale);
    this.keeper = new DraftKeeper(modelId, deps, () => this.content);
    this.own.add(this.own.add(deps.offer).onDidChange(() => this.postQuote()));
    this.own.add(deps.session.onDidChange(() => this.followSession()));
    this.own.add(deps.library.onDidChange(() => this.followLibrary()));
    this.own.add(deps.postponed.onDidChange(() => this.postResults()));
    this.own.add(deps.host.onDidChangeLinkPlace(() => this.followLinkPlace()));
    this.own.add(deps.host.onDidChangeNames(() => this.postTarget()));
    this.own.add(deps.styles.onDidChange(() => this.followStyle()));
  }

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromForm(data);
    if (!message) return this.deps.log.warn(`Form ${this.modelId}: ignored an unknown message`);
    const wasHeld = this.isHeld;
    this.isUsed ||= message.type !== 'ready';
    if ('request' in message) void this.answer(message);
    else this.tell(message);
    // An edit has its own pause.
    if (wasHeld && this.isUsed && message.type !== 'edit') this.ask();
  }

  /**
   * Fills in inputs as they were sent, or as a user wrote them for a style, and focuses the first field that the
   * service rejected.
   */
  show(inputs: JsonObject, refused: readonly FieldProblem[] = [], style?: string): void {
    this.isUsed = false;
    this.draft.style.use(style);
    this.varyNothing();
    const revision = this.revision + 1;
    this.refused = refused.length > 0 ? { revision, problems: refused } : undefined;
    if (!this.draft.model) {
      this.revision = revision;
      this.draft.pendingInputs = inputs;
      return;
    }
    this.replace(valuesFrom(this.draft.model.fields, inputs));
    this.postRefused();
  }

  /** As `Occasion.image` says. */
  fill(image: GivenImage): void {
    this.isUsed = false;
    const { model, kept } = this.draft;
    this.pendingImage = model ? undefined : image;
    const fields = imagePlaces(model?.fields ?? [], image);
    const filled = new Map(kept);
    const free = (field: Field) => mostImages(field) - imageItems(filled.get(field.name) ?? '').length;
    const field =
      fields.find(({ name }) => (filled.get(name) ?? '') === '') ?? fields.find((one) => free(one) > 0) ?? fields[0];
    if (field) void this.give({ field: field.name }, () => [this.images.kept(field, image)]);
  }

  /** Empties the form if it has that text, which is to be removed from this computer. */
  forget(text: string): void {
    const { before = [], draft } = this;
    const { kept = [], sent, pendingInputs = {}, model } = draft;
    if (hasText(before, text)) {
      this.before = undefined;
      this.postDraft();
    }
    if (!hasText([...kept, ...sent, ...Object.entries(pendingInputs)], text)) return;
    draft.pendingInputs = undefined;
    this.varyNothing();
    this.take(initialValues(model?.fields ?? []));
  }

  /** Makes the next result for this link; undefined for none. */
  forLink(link: LinkTarget | undefined): void {
    this.target.forLink(link);
    this.postTarget();
  }

  /** Something was ordered for that target, in this form or elsewhere, so a link to it no longer needs a result. */
  leave(target: Target): void {
    if (this.draft.target.leave(target)) this.postTarget();
  }

  /**
   * The inputs the form would render now, and their target; the inputs are undefined while incomplete. A link takes one
   * image, so a batch is no longer for it.
   */
  get request(): DraftRequest {
    const { now, usual = now } = this.draft.target;
    return this.wishFor(usual);
  }

  /** The same for the next result alone, which may be for a link. */
  get next(): DraftRequest {
    return this.wishFor(this.draft.target.now);
  }

  private wishFor(target: Target): DraftRequest {
    const { modelId, draft } = this;
    return { modelId, inputs: draft.complete, target: draft.named(target) };
  }

  /** The renders that the form shows. */
  get resultIds(): readonly string[] {
    return this.results.ids;
  }

  /** Settings or the open folders changed. */
  retarget(): void {
    this.draft.target.renew();
    this.postTarget();
  }

  dispose(): void {
    this.gone = true;
    this.keeper.now();
    this.own.dispose();
  }

  private tell(message: Exclude<FromForm, FormRequest>): void {
    try {
      if (message.type === 'ready') this.begin();
      else if (message.type === 'variants') this.want({ count: message.count, varied: [] });
      else if (message.type === 'vary') this.want({ count: 1, varied: message.varied });
      else if (message.type === 'style') this.chooseStyle(message.id);
      else this.edit(message);
    } catch (error) {
      this.deps.log.error(`Form ${this.modelId}: ${reasonOf(error)}`, error);
    }
  }

  /** Every request gets exactly one response, whatever happens. */
  private async answer(message: FormRequest): Promise<void> {
    let problem: string | undefined;
    let remedy: Remedy | undefined;
    // Only button presses are requests; typing isn't.
    this.deps.session.client?.probe();
    try {
      problem = await this.fulfil(message);
    } catch (error) {
      this.deps.log.error(`Form ${this.modelId}, ${message.type}: ${reasonOf(error)}`, error);
      problem = this.deps.sentence(error);
      remedy = this.deps.remedy(error);
    }
    this.remedy = remedy;
    this.post({ type: 'answer', request: message.request, problem, remedy: remedy?.title });
  }

  /** The message to show, if any. */
  private fulfil(message: FormRequest): string | undefined | Promise<string | undefined> {
    switch (message.type) {
      case 'render':
        if (!this.style.isShown(message.style)) return this.deps.strings.priceMoved;
        return this.order(message.revision, message.intent);
      case 'action':
        return this.act(message.action, message.id);
      case 'renderMore':
        return this.renderMore(message.id, message.cents);
      case 'keepVariants':
        return this.keepVariants(message.kept, message.others);
      case 'chooseTarget':
        return this.target.choose().then(() => this.followTarget());
      case 'fileName':
        return this.target.rename(message.fileName) ?? this.followTarget();
      case 'saveAsUsual':
        this.forLink(undefined);
        return undefined;
      case 'insertLink':
        this.draft.target.inserts = message.insert;
        this.postTarget();
        return undefined;
      case 'askAgain':
        this.draft.offer.renew();
        return undefined;
      case 'refreshBalance':
        return this.deps.session.refreshBalance().then(() => undefined);
      case 'remedy':
        return Promise.resolve(this.remedy?.run()).then(() => undefined);
      case 'whatFits':
        return this.fit();
      case 'pickPrompt':
        return this.pickPrompt();
      case 'openRecipe':
        return this.deps.host.openRecipe(message.uri).then(() => undefined);
      case 'reload':
        return this.draft.load().then(() => undefined);
      case 'pickImage':
        return this.give(message, (field) =>
          this.images.picked(field, message.index === undefined ? mostImages(field) : 1),
        );
      case 'dropImages':
        return this.give(message, (field) => this.images.dropped(field, message.uris));
      case 'giveImage':
        return this.give(message, (field) => [
          this.images.keep(field, Buffer.from(message.base64, 'base64'), message.name),
        ]);
    }
  }

  /** Sends a fresh webview everything. */
  private begin(): void {
    this.results.forgetShown();
    this.shownVariants = undefined;
    this.style.forgetShown();
    const { strings, locale, actions } = this.deps;
    this.post({ type: 'strings', strings, locale, actions: [...actions] });
    this.postAccount();
    const { model, isUnread } = this.draft;
    if (model && !isUnread) this.postForm(model);
    else void this.draft.load();
  }

  /** The model or, while the service is away, its last fields: to be read again once it responds. */
  private async find(): Promise<Model> {
    const { session, usedModels } = this.deps;
    try {
      const model = await session.model(this.modelId);
      void usedModels.keep(model);
      return model;
    } catch (error) {
      const kept = await usedModels.instead(this.modelId, error);
      if (!kept) throw error;
      this.kept = kept;
      return kept;
    }
  }

  private loaded(model: Model | undefined): void {
    if (this.gone || !model) return;
    const { draft } = this;
    draft.isUnread = model === this.kept;
    const own = draft.kept && fittedValues(model.fields, draft.kept);
    const isReplaced = draft.pendingInputs !== undefined;
    draft.adopt(model);
    const problems = this.settle(draft.kept ?? []);
    if (isReplaced) this.keepBefore(own);
    this.postForm(model);
    this.postImageProblems(problems);
    if (this.pendingImage) this.fill(this.pendingImage);
  }

  /** A failure is shown instead of the form. */
  private unavailable(error: unknown): void {
    this.deps.log.warn(`Form ${this.modelId}: ${reasonOf(error)}`);
    this.post({ type: 'unavailable', problem: this.deps.session.state.problem ?? this.deps.sentence(error) });
  }

  private postForm(model: Model): void {
    const { id, title, description, kind, fields } = shownModel(model);
    this.deps.entitle(title);
    this.post({ type: 'model', model: { id, title, description, kind, fields: [...fields] } });
    this.followStyle();
    this.postDraft();
    this.postRefused();
    this.postPrompts();
    this.postResults();
    this.ask();
  }

  /** Puts other values in place of all that the user has. */
  private replace(values: FieldValues): void {
    this.take(values, undefined, this.draft.kept);
  }

  /** `field`: the only one that these values are about. `before`: what the user can have back. */
  private take(values: FieldValues, field?: string, before?: FieldValues): void {
    const problems = this.settle(values);
    this.keepBefore(before);
    this.revision += 1;
    this.postDraft(field);
    this.postImageProblems(problems);
    this.followStyle();
    this.ask();
    this.keeper.soon();
  }

  /** Sets the values, with their images in the form that the fields take; returns what is wrong with the others. */
  private settle(given: FieldValues): readonly (readonly [field: string, problem: string])[] {
    const { values, problems } = this.images.settled(this.draft.model?.fields ?? [], given);
    this.draft.kept = values;
    return problems;
  }

  private keepBefore(before: FieldValues | undefined): void {
    this.before = JSON.stringify(before) === JSON.stringify(this.draft.kept) ? undefined : before;
  }

  /**
   * Gives a field the images that the user chose, in place of the one at `index` or after those it has, whatever they
   * typed in the meantime. What a field can't take is said at it.
   */
  private async give(
    { field: name, index }: { readonly field: string; readonly index?: number },
    choose: (field: Field) => readonly TakenImage[] | Promise<readonly TakenImage[]>,
  ): Promise<undefined> {
    const field = this.draft.model?.fields.find((one) => one.name === name && one.kind === 'image');
    const taken = field ? await choose(field) : [];
    if (!field || this.gone) return;
    const images = taken.flatMap((one) => ('image' in one ? one.image : []));
    const problems = taken.flatMap((one) => ('problem' in one ? [[name, one.problem] as const] : []));
    if (images.length > 0) {
      const given = (value: FieldValue) => valueOfImages(withImages(field, imageItems(value), images, index));
      this.take(
        (this.draft.kept ?? []).map(([own, value]) => [own, own === name ? given(value) : value]),
        name,
      );
    }
    this.postImageProblems(problems);
  }

  private postImageProblems(problems: readonly (readonly [field: string, problem: string])[]): undefined {
    for (const [field, problem] of problems) this.post({ type: 'imageProblem', field, problem: oneLine(problem, 400) });
  }

  /** An edit that the host has replaced with its own draft is void; the webview knows. */
  private edit({ revision, values, typing = false }: Extract<FromForm, { type: 'edit' }>): void {
    if (revision <= this.revision || !this.draft.model) return;
    this.revision = revision;
    this.draft.kept = values;
    this.before = undefined;
    this.ask(!typing);
    this.keeper.soon();
  }

  /** The user chose how many images, or which, one press orders. */
  private want(wanted: Composer['wanted']): void {
    this.draft.wanted = wanted;
    // Even where that isn't possible, the form has to learn so.
    this.shownVariants = undefined;
    this.ask();
  }

  /** The form shows other inputs. */
  private varyNothing(): void {
    this.draft.wanted = { ...this.draft.wanted, varied: [] };
  }

  private chooseStyle(id: string | undefined): void {
    this.draft.style.choose(id);
    // Even where it isn't offered any more, the form has to learn so.
    this.style.forgetShown();
    this.followStyle();
    this.keeper.soon();
  }

  /** The styles of the project changed, or the chosen one: another price, and other words to leave out of prompts. */
  private followStyle(): void {
    const style = this.draft.model && this.style.news();
    if (!style) return;
    this.ask();
    this.post({ type: 'style', style });
    this.postPrompts();
  }

  /** No image leaves for a price before the user gave it, or did something else in the form's own page. */
  private get isHeld(): boolean {
    return !this.isUsed && holdsImages(this.draft.inputs);
  }

  /** Requests the price of the current values, and reports its state for their revision even if nothing changed. */
  private ask(atOnce = true): void {
    this.draft.ask(atOnce, !this.isHeld);
    this.postQuote();
    this.postTarget();
  }

  private async order(revision: number, intent: string): Promise<string | undefined> {
    // A double click: the first press counts.
    const { draft, written } = this;
    if (draft.offer.isClaimed(intent)) return undefined;
    const drafts = revision === this.revision ? await draft.offer.claimFresh(intent) : undefined;
    // A user who keeps typing, or sees why there's no price, knows that nothing was ordered.
    if (!drafts && (revision !== this.revision || draft.offer.state.status === 'failed')) return undefined;
    if (!drafts) return this.deps.strings.priceMoved;
    try {
      const [orders, place] = [draft.orders(drafts), draft.insertsAt];
      const together = orders.map(({ intent }) => intent);
      await this.deps.host.render(orders, place, written.typedInputs, (record) =>
        this.ordered(record, together, revision, written),
      );
    } finally {
      this.ask();
    }
    return undefined;
  }

  /** `written` when it was ordered: other words may have been typed since. */
  private ordered(
    record: RenderRecord,
    together: readonly string[],
    revision: number,
    { values, sent }: typeof this.written,
  ): void {
    this.results.add(record.key, together);
    this.unanswered = { key: record.key, revision };
    this.followLibrary();
    this.postPrompts();
    this.keeper.now();
    if (values) void this.deps.drafts.keepRendered(this.modelId, values, this.deps.clock.now(), sent);
  }

  /** A rejection arrives some time after the order; its fields belong to the values ordered. */
  private followLibrary(): void {
    this.postResults();
    const entry = this.unanswered && this.deps.library.get(this.unanswered.key);
    if (!this.unanswered || !entry || entry.group === 'active' || entry.state === 'planned') return;
    const { revision } = this.unanswered;
    this.unanswered = undefined;
    if (entry.state === 'refused') this.postProblems(entry.problem?.fields ?? [], revision, true);
  }

  private async act(name: string, id: string): Promise<undefined> {
    // Only actions that this form offers: the webview can't name others.
    const action = actionOn('form', name);
    if (!action || !this.resultIds.includes(id)) return;
    const outcome = await this.deps.act(action, id);
    // At a price above its own, a planned render becomes a new one.
    const key = action === 'renderAgain' || action === 'sendPlanned' ? keyOf(outcome) : undefined;
    if (key === undefined) return;
    this.results.add(key);
    this.postResults();
    this.keeper.now();
  }

  /** Only for what the form shows. Pressed again before they're ordered, or a moment later, the first press counts. */
  private async renderMore(id: string, cents: number): Promise<undefined> {
    if (this.isRenderingMore || !this.resultIds.includes(id)) return;
    this.isRenderingMore = true;
    try {
      await this.deps.host.renderMore(id, moreImages, cents / moreImages, ({ key }, together) => {
        this.results.add(key, together);
        this.postResults();
        this.keeper.now();
      });
    } finally {
      this.deps.clock.after(secondPressMs, () => (this.isRenderingMore = false));
    }
  }

  /** Only saved images of the last press are moved to the trash: the webview can't name others. */
  private async keepVariants(wanted: readonly string[], unwanted: readonly string[]): Promise<undefined> {
    const { results, deps } = this;
    const saved = results.variants.filter((id) => deps.library.get(id)?.file !== undefined);
    const kept = saved.filter((id) => wanted.includes(id));
    const others = saved.filter((id) => unwanted.includes(id) && !kept.includes(id));
    if (kept.length === 0 || others.length === 0) return;
    if (!(await deps.host.removeOthers(others, kept.length))) return;
    results.remove(others);
    this.postResults();
    this.keeper.now();
  }

  private async fit(): Promise<undefined> {
    const { complete, target } = this.draft;
    const fit = complete && (await this.deps.host.whatFits(this.modelId, complete, target.now));
    if (fit) this.show(fit);
  }

  private async pickPrompt(): Promise<undefined> {
    const prompt = await this.deps.host.pickPrompt(this.prompts());
    const { model, kept } = this.draft;
    const field = model && promptField(model.fields);
    if (prompt === undefined || !field || !kept) return;
    this.replace(kept.map(([name, value]) => [name, name === field.name ? prompt : value]));
  }

  private prompts(): readonly string[] {
    const { model } = this.draft;
    if (!model || !promptField(model.fields)) return [];
    return this.draft.typed(this.deps.earlierPrompts(model.kind));
  }

  /** The prompts to start with: of the model's earlier images, else those that the service states. */
  private examples(): readonly ExampleView[] {
    const field = this.draft.model && promptField(this.draft.model.fields);
    if (!field) return [];
    const earlier = this.deps.earlierImages(this.modelId).flatMap((entry) => {
      const image = this.deps.thumbnail(entry);
      return this.draft.typed([promptOf(undefined, entry.inputs)]).map((prompt) => ({ prompt, image }));
    });
    if (earlier.length > 0) return earlier;
    return (field.examples ?? []).slice(0, mostExamples).map((prompt) => ({ prompt: oneLine(prompt, 2000) }));
  }

  /** Sends the earlier prompts as they are now. */
  postPrompts(): void {
    this.post({ type: 'prompts', prompts: [...this.prompts()], examples: [...this.examples()] });
  }

  /** The user chose another folder or name. */
  private followTarget(): undefined {
    this.postTarget();
    this.keeper.soon();
  }

  private followLinkPlace(): void {
    if (this.target.isMoved) this.postTarget();
  }

  private followSession(): void {
    this.postAccount();
    this.postResults();
    this.draft.follow();
  }

  private postDraft(field?: string): void {
    const { revision, before } = this;
    const { kept: values } = this.draft;
    if (!values) return;
    const given = [...values, ...(before ?? [])].flatMap(([, value]) =>
      typeof value === 'object' && 'images' in value ? value.images : [],
    );
    const images = given
      .filter((item) => typeof item === 'object')
      .map((image) => ({ sha256: image.sha256, url: this.deps.imageUrl(image) }));
    this.post({
      type: 'draft',
      revision,
      values,
      ...(field !== undefined && { field }),
      ...(before && { before }),
      ...(images.length > 0 && { images }),
    });
  }

  private postQuote(): void {
    const { model, offer } = this.draft;
    if (!model) return;
    const { intent, count, state } = offer;
    const quote = this.isHeld ? ({ status: 'held' } as const) : quoteView(offer, this.deps);
    this.post({ type: 'quote', revision: this.revision, intent, count, quote });
    if (state.status === 'failed') this.postProblems(state.error.fields, this.revision, false);
  }

  /** Only for fields of this form; the sentence covers the others. */
  private postProblems(problems: readonly FieldProblem[], revision: number, focus: boolean): void {
    const known = problems
      .filter(({ field }) => this.draft.model?.fields.some((own) => own.name === field))
      .map(({ field, message }) => ({ field, message: oneLine(message, 400) }));
    if (known.length > 0) this.post({ type: 'problems', revision, focus, problems: known });
  }

  private postRefused(): void {
    if (this.refused) this.postProblems(this.refused.problems, this.refused.revision, true);
  }

  private postAccount(): void {
    const { balance, place, quietUntil } = this.deps.session.state;
    const waitMs = quietUntil === undefined ? undefined : Math.max(0, Math.round(quietUntil - this.deps.clock.now()));
    const sandbox = place?.sandbox === true;
    this.post({ type: 'account', balanceCents: balance?.cents, sandbox, waitMs, offline: this.isOffline });
  }

  private get isOffline(): boolean {
    return this.deps.session.state.status === 'offline';
  }

  private postTarget(): void {
    const { model, kept } = this.draft;
    if (!model || !kept) return;
    this.post({ type: 'target', target: this.target.view() });
    this.postVariants();
  }

  /** The model or the target may have changed what one press orders. */
  private postVariants(): void {
    const { several, free } = this.draft;
    const canVary = several !== justOne && free.some(isVariable);
    const { choices, count, varied } = several;
    const variants: VariantsView = {
      choices: [...choices],
      count,
      canVary,
      varied: varied.map(({ field, values }) => ({ field, values: [...values] })),
    };
    if (JSON.stringify(variants) === this.shownVariants) return;
    this.shownVariants = JSON.stringify(variants);
    this.draft.ask(true, !this.isHeld);
    this.post({ type: 'variants', variants });
    this.postQuote();
  }

  /** The library changes with every render of the window: sends only changes. */
  private postResults(): void {
    const { deps, isOffline } = this;
    const { model } = this.draft;
    const news = this.results.news({ ...deps, model, isOffline: () => isOffline, now: () => deps.clock.now() });
    if (news) this.post({ type: 'results', results: news });
  }

  private post(message: ToForm): void {
    if (!this.gone) this.deps.post(message);
  }

  private get content(): DraftContent | undefined {
    const { results, draft, written } = this;
    const { values, sent } = written;
    const { ids, variants } = results;
    return values && { values, sent, results: ids, variants, target: draft.target.chosen, style: draft.style.chosen };
  }

  /** What is there now: `values` as the user wrote them, and how they're sent; undefined until there are any. */
  private get written() {
    const { kept: values, model, sent, typedInputs: typedInputs } = this.draft;
    return { values, sent: model && values && sent, typedInputs };
  }
}

/** The images of a field with others: in place of the one at `index`, else after those it has, or of its only one. */
function withImages(
  field: Field,
  items: readonly ImageItem[],
  images: readonly GivenImage[],
  index: number | undefined,
): readonly ImageItem[] {
  if (!field.image?.isList) return images.slice(0, 1);
  const at = index === undefined || index >= items.length ? items.length : index;
  return [...items.slice(0, at), ...images, ...items.slice(at + 1)];
}

/** The key of the render that a command started, if it returned one. */
function keyOf(outcome: unknown): string | undefined {
  const key = typeof outcome === 'object' && outcome !== null && 'key' in outcome ? outcome.key : undefined;
  return typeof key === 'string' ? key : undefined;
}
