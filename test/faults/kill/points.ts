/** What a person orders: each lives another life. */
export type Kind = 'picture' | 'largePicture' | 'text' | 'failing';

const paid: readonly Kind[] = ['picture', 'text', 'failing'];
const delivered: readonly Kind[] = ['picture', 'text'];
const fetched: readonly Kind[] = ['picture'];
const answered: readonly Kind[] = ['text'];
const refunded: readonly Kind[] = ['failing'];

/** The moments in the life of a render at which its process can end, in their order. */
const reached = {
  'before planned is recorded': paid,
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
  'the inscription is open': fetched,
  'the inscription is half written': fetched,
  'the inscription is written': fetched,
  'the inscription is synced': fetched,
  'before the inscription has its name': fetched,
  'the inscription has its name': fetched,
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
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/** What is reached alone by the window after one that ended when a name was claimed: it trusts no file it did not receive, and copies it. */
const copying = {
  'the copy is open': delivered,
  'the copy is half written': delivered,
  'the copy is written': delivered,
  'the copy is synced': delivered,
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

/** Every point, with the kinds that come by there. */
export const points = { ...reached, ...copying };

export type Point = keyof typeof points;

export const pointNames = Object.keys(points) as Point[];

/** Where the window before must have ended for this point to be reached; undefined when none need be. */
export function pointBefore(point: Point): Point | undefined {
  return point in copying ? 'claimed is recorded' : undefined;
}

/** Hears that a point is reached, and may not return. */
export type At = (point: Point) => void;
