import type { Around } from '../base/text';
import { oneLine } from '../base/plain';
import type { Json } from '../base/json';
import type { Event } from '../base/event';
import type { RenderFile } from '../renderFiles/renderFile';

/** A style of a render file, for renders that a user orders elsewhere. */
export interface ProjectStyle extends Around {
  /** Its file and its name. */
  readonly id: string;
  /** Its name for display, with its file if several have a style of that name. */
  readonly label: string;
  /** Values by input, where `null` omits one. */
  readonly inputs: ReadonlyMap<string, Json>;
}

/** The styles that every door offers. */
export interface StyleSource {
  /** Those of the workspace’s render files: none in Restricted Mode, and none until the files have been read. */
  readonly styles: readonly ProjectStyle[];
  /** Fires when they changed, or the one chosen last. */
  readonly onDidChange: Event<void>;
  /** The ID of the style chosen last in this workspace; undefined for none. */
  readonly last: string | undefined;
  /** Remembers that the user chose it. */
  keep(id: string | undefined): void;
}

/** The most styles that are offered. */
const mostStyles = 200;
/** A style with more words isn’t offered, UTF-16 units. */
const mostWords = 10_000;

/** The styles of render files without errors in them, in the order of the files. */
export function projectStyles(files: readonly RenderFile[], paths: readonly string[]) {
  const found = files.flatMap(({ styles, isBroken }, index) => {
    const sound = [...styles].filter(([, { isSound }]) => isSound && !isBroken);
    return sound.map(([name, style]) => ({ name, path: paths[index] ?? '', ...style }));
  });
  const offered = found.filter(({ before, after }) => before.length + after.length <= mostWords).slice(0, mostStyles);
  return offered.map(({ name, path, before, after, inputs }): ProjectStyle => {
    const isShared = offered.some((other) => other.name === name && other.path !== path);
    const label = oneLine(name, 60) || '…';
    return {
      id: `${path}#${name}`,
      label: isShared ? `${label} · ${oneLine(path, 100)}` : label,
      ...{ before, after },
      inputs: new Map([...inputs].map(([input, { value }]) => [input, value])),
    };
  });
}
