/** Kinds of orders, each with a different life. */
export type Kind = 'picture' | 'largePicture' | 'text' | 'longText' | 'takenBack' | 'failing' | 'replacement';

const paid: readonly Kind[] = ['picture', 'text', 'longText', 'failing'];
const delivered: readonly Kind[] = ['picture', 'text', 'longText'];
const fetched: readonly Kind[] = ['picture'];
const answered: readonly Kind[] = ['text', 'longText'];
const long: readonly Kind[] = ['longText'];
const refunded: readonly Kind[] = ['failing'];
const accepted: readonly Kind[] = ['replacement'];

/** The points in the life of a render at which its process can end, in order. */
const reached = {
  'before planned is recorded': paid,
  'the folder of bodies is there': long,
  'the body is open': long,
  'the body is half written': long,
  'the body is written': long,
  'the body is synced': long,
  'before the body has its name': long,
  'the body has its name': long,
  'the folder of bodies is synced': long,
  'planned is recorded': paid,
  'before sent is recorded': paid,
  'sent is recorded': paid,
  'before the guard of the order': paid,
  'before the bytes of the order': paid,
  'the bytes of the order are out': paid,
  'the answer to the order begins': paid,
  'the answer to the order is in': paid,
  'before accepted is recorded': paid,
  'accepted is recorded': paid,
  'before the bytes of a poll': paid,
  'the bytes of a poll are out': paid,
  'the answer to a poll begins': paid,
  'before failed is recorded': refunded,
  'failed is recorded': refunded,
  'before refunded is recorded': refunded,
  'refunded is recorded': refunded,
  'before succeeded is recorded': delivered,
  'succeeded is recorded': delivered,
  'before the bytes of a download': fetched,
  'the bytes of a download are out': fetched,
  'the answer to a download begins': fetched,
  'the part is open': delivered,
  'the part is half written': delivered,
  'the part is written': delivered,
  'the part is synced': delivered,
  'before the part has its name': delivered,
  'the part has its name': delivered,
  'the embedding is open': fetched,
  'the embedding is half written': fetched,
  'the embedding is written': fetched,
  'the embedding is synced': fetched,
  'before the embedding has its name': fetched,
  'the embedding has its name': fetched,
  'before claimed is recorded': delivered,
  'claimed is recorded': delivered,
  'before the result is in the folder': delivered,
  'the result is in the folder': delivered,
  'the result has its rights': delivered,
  'before the file has its name': delivered,
  'the file has its name': delivered,
  'before the copy is removed': delivered,
  'the copy is removed': delivered,
  'before the file beside has its name': answered,
  'the file beside has its name': answered,
  'the folder is synced': delivered,
  'before saved is recorded': delivered,
  'saved is recorded': delivered,
  'before the spool is emptied': delivered,
  'the spool is emptied': delivered,
  'the earlier one is open': accepted,
  'the earlier one is half written': accepted,
  'the earlier one is written': accepted,
  'the earlier one is synced': accepted,
  'before the earlier one has its name': accepted,
  'the earlier one has its name': accepted,
  'the new one is open': accepted,
  'the new one is half written': accepted,
  'the new one is written': accepted,
  'the new one is synced': accepted,
  'before the new one is in its place': accepted,
  'the new one is in its place': accepted,
  'before the decision is recorded': accepted,
  'the decision is recorded': accepted,
  'before the staged one is removed': accepted,
  'the staged one is removed': accepted,
  'before the earlier one is in the trash': accepted,
  'the earlier one is in the trash': accepted,
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/** Reached only by the window after one that ended while claiming a name: it copies files that it didn't receive. */
const copying = {
  'the copy is open': delivered,
  'the copy is half written': delivered,
  'the copy is written': delivered,
  'the copy is synced': delivered,
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/** Rare actions, and the removal of old leftovers: the main test doesn't aim at them. */
const seldom = [
  'before discarded is recorded',
  'discarded is recorded',
  'before it is forgotten',
  'it is forgotten',
  'before the body is removed',
  'the body is removed',
  'before a left-over body is removed',
  'a left-over body is removed',
  'before the word is recorded',
  'the word is recorded',
] as const;

/** Every point, with the kinds that reach it. */
export const points = { ...reached, ...copying };

/** A point that every render of its kind reaches. */
export type UsualPoint = keyof typeof points;

export type Point = UsualPoint | (typeof seldom)[number];

export const pointNames = Object.keys(points) as UsualPoint[];

export function isPoint(name: string): name is Point {
  return Object.hasOwn(points, name) || seldom.some((point) => point === name);
}

/** Where the previous window must have ended for this point to be reached; undefined for anywhere. */
export function pointBefore(point: Point): Point | undefined {
  return point in copying ? 'claimed is recorded' : undefined;
}

/** Called at a point, and may not return. */
export type At = (point: Point) => void;
