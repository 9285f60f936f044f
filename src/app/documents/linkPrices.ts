import { reasonOf } from '../../base/errors';
import type { JsonObject } from '../../base/json';
import type { Log } from '../../base/log';
import type { CatalogClient } from '../../catalog/client';
import { mayMake } from '../../catalog/kinds';
import type { Quotes } from '../../catalog/quotes';
import type { Session } from '../../catalog/session';
import type { Size } from '../../documents/shape';
import type { Drafts } from '../models/drafts';
import type { LastModel } from '../models/lastModel';
import { linkInputs } from './linkInputs';

/**
 * How long a price stands beside a link, ms. It is a hint: the one that counts is asked for before anything is ordered.
 */
const hintMs = 5 * 60_000;

/** What a render for a link would cost, and with which model. */
export interface LinkPrice {
  readonly title: string;
  readonly cents: number;
}

/** What renders for links would cost. One question at a time, and none twice while its answer is young enough. */
export class LinkPrices {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    /** The client in use; throws UserError when there is none. */
    private readonly client: () => CatalogClient,
    private readonly drafts: Pick<Drafts, 'rendered'>,
    private readonly lastModel: Pick<LastModel, 'read'>,
    private readonly quotes: Quotes,
    private readonly log: Log,
  ) {}

  /**
   * With the model a quick render begins with, and its cents; undefined while nobody is connected, no model was
   * rendered with yet, or the price cannot be had. Never rejects.
   */
  async of(prompt: string, size: Size | undefined): Promise<LinkPrice | undefined> {
    const modelId = this.lastModel.read();
    if (this.session.state.status !== 'connected' || modelId === undefined) return undefined;
    try {
      const model = await this.session.model(modelId);
      if (!mayMake(model, 'image')) return undefined;
      const inputs = linkInputs(model, this.drafts.rendered(modelId), prompt, size);
      const cents = inputs && (await this.price(modelId, inputs));
      return cents === undefined ? undefined : { title: model.title, cents };
    } catch (error) {
      this.log.info(`Couldn’t get the price for a link: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /**
   * Cents for exactly these inputs; undefined when the service states none. Rejects with UserError without an account,
   * with ServiceError when the price cannot be had.
   */
  private price(modelId: string, inputs: JsonObject): Promise<number | undefined> {
    const asked = this.last.then(() => this.ask(modelId, inputs));
    // How this question ends is no matter of the next.
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask(modelId: string, inputs: JsonObject): Promise<number | undefined> {
    const { quote } = await this.quotes.of(this.client(), modelId, inputs, { freshMs: hintMs });
    return quote.costCents;
  }
}
