import { parse, type ParseError } from 'jsonc-parser';
import { type Clock, systemClock, systemRandom } from '../../../base/clock';
import { type Disposable, Disposables } from '../../../base/disposable';
import { isObject } from '../../../base/json';
import { isLoopback } from '../../../base/loopback';
import { CatalogClient, type ClientSetup } from '../../../catalog/client';
import type { Session } from '../../../catalog/session';
import { imagesOf } from '../../../files/givenImages';
import { isTooDeep } from '../../../renderFiles/tree';

/** A host, as people type it: a name with a dot, or this machine, maybe with a port and a path. */
const host = /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/.*)?$/i;

/** An address as it was typed, with the scheme that a bare host leaves out; anything else stays as it is. */
export function typedAddress(text: string): string {
  const typed = text.trim();
  if (!host.test(typed) || !URL.canParse(`http://${typed}`)) return text;
  return isLoopback(`http://${typed}`) ? `http://${typed}` : `https://${typed}`;
}

/**
 * The service URL that a project's settings file, or a workspace file's settings, set for the catalog; undefined if
 * they set none. The editor's API can't say: it hides values that don't apply. Calls `broken` for a text that isn't
 * JSON with comments, or nests too deeply.
 */
export function addressIn(settingsText: string, broken = () => {}): string | undefined {
  if (isTooDeep(settingsText)) {
    broken();
    return undefined;
  }
  const errors: ParseError[] = [];
  const file: unknown = parse(settingsText, errors, { allowTrailingComma: true });
  if (errors.length > 0) broken();
  if (!isObject(file)) return undefined;
  return addressSetBy(file) ?? (isObject(file.settings) ? addressSetBy(file.settings) : undefined);
}

/** Under either name, dotted or nested: the editor accepts both. */
function addressSetBy(settings: Record<string, unknown>): string | undefined {
  const { modelCatalog } = settings;
  const nested = isObject(modelCatalog) ? modelCatalog : {};
  return ['serviceUrl', 'baseUrl']
    .flatMap((name) => [settings[`modelCatalog.${name}`], nested[name]])
    .find((address) => typeof address === 'string');
}

const firstPauseMs = 5_000;
const longestPauseMs = 60_000;

/**
 * While the service isn't responding, checks now and then whether it's back; the session then informs every view. The
 * longer it's away, the longer the pauses; a window that isn't visible checks nothing.
 */
export function lookForService(
  session: Pick<Session, 'state' | 'onDidChange' | 'refreshBalance'>,
  clock: Clock,
  isSeen: () => boolean,
): Disposable {
  const own = new Disposables();
  let next: Disposable | undefined;
  let pause = firstPauseMs;
  let isLooking = false;
  let gone = false;
  const look = async () => {
    next = undefined;
    isLooking = true;
    if (isSeen()) await session.refreshBalance();
    isLooking = false;
    pause = Math.min(pause * 2, longestPauseMs);
    plan();
  };
  const plan = () => {
    if (gone || isLooking) return;
    if (session.state.status === 'offline') {
      next ??= clock.after(pause, () => void look());
      return;
    }
    next?.dispose();
    next = undefined;
    pause = firstPauseMs;
  };
  own.add(session.onDidChange(plan));
  own.add({
    dispose: () => {
      gone = true;
      next?.dispose();
    },
  });
  plan();
  return own;
}

/** A client on the machine's clock, whose requests have the images that were chosen in the window's project. */
export function makeClient(
  setup: Pick<ClientSetup, 'base' | 'key' | 'account' | 'transport' | 'language' | 'log'>,
  window: Parameters<typeof imagesOf>[0],
): CatalogClient {
  const images = imagesOf(window);
  const imageBytes = images.read.bind(images);
  return new CatalogClient({ ...setup, clock: systemClock, random: systemRandom, imageBytes });
}
