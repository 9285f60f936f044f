import { unescaped } from './markdownText';
import type { Span, Written } from './span';

/** The address and title of a Markdown image, and the size in pixels that some renderers read after them. */
export interface MarkdownTarget {
  readonly address: Written;
  readonly title?: Written;
  readonly width?: number;
  readonly height?: number;
}

const gap = /\s*/y;
const quotedTarget = /<((?:[^\n<>\\]|\\.)*)>/y;
/** The nesting of parentheses that CommonMark requires. */
const deepest = 32;

/** The target in parentheses whose `(` is at an offset, with the offset after its `)`. */
export function inlineTarget(text: string, open: number): (MarkdownTarget & { readonly end: number }) | undefined {
  if (text[open] !== '(') return undefined;
  const target = targetAt(text, afterGap(text, open + 1));
  if (!target) return undefined;
  const size = sizeAt(text, target.end);
  // A title may come after the size, too.
  const { title } = size && !target.title ? titleAfter(text, size.end) : target;
  const last = title ? title.end + 1 : (size?.end ?? target.end);
  const end = afterGap(text, Math.max(last, size?.end ?? 0));
  return text[end] === ')' ? { ...target, ...size, title, end: end + 1 } : undefined;
}

const statedSize = /[ \t]+=(?:(\d{1,6})|\d{0,3}%)?x(?:(\d{1,6})|\d{0,3}%)?(?=[\s)])/y;

/** As in `![](a.png =300x200)`. */
function sizeAt(
  text: string,
  at: number,
): (Pick<MarkdownTarget, 'width' | 'height'> & { readonly end: number }) | undefined {
  statedSize.lastIndex = at;
  const found = statedSize.exec(text);
  if (!found) return undefined;
  const [width, height] = [Number(found[1] ?? 0), Number(found[2] ?? 0)];
  return { ...(width > 0 && { width }), ...(height > 0 && { height }), end: statedSize.lastIndex };
}

/** An address with an optional title; `end` is where reading stopped. */
export function targetAt(text: string, start: number): (MarkdownTarget & { readonly end: number }) | undefined {
  const address = addressAt(text, start);
  if (!address) return undefined;
  const { title } = titleAfter(text, address.end);
  return {
    address: written(text, address.value),
    ...(title && { title }),
    end: title ? title.end + 1 : address.end,
  };
}

function titleAfter(text: string, at: number): Pick<MarkdownTarget, 'title'> {
  const start = afterGap(text, at);
  const title = start > at ? titleAt(text, start) : undefined;
  return title ? { title: written(text, title) } : {};
}

/** The title whose opening quote is at an offset, without its quotes. */
export function titleAt(text: string, start: number): Span | undefined {
  const quote = text[start];
  if (quote !== '"' && quote !== "'" && quote !== '(') return undefined;
  const close = quote === '(' ? ')' : quote;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === close) return { start: start + 1, end: at };
    else if (character === '(' && quote === '(') return undefined;
  }
  return undefined;
}

function addressAt(text: string, start: number): { readonly value: Span; readonly end: number } | undefined {
  if (text[start] === '<') {
    quotedTarget.lastIndex = start;
    const value = quotedTarget.exec(text)?.[1];
    if (value === undefined) return undefined;
    return { value: { start: start + 1, end: start + 1 + value.length }, end: start + value.length + 2 };
  }
  let depth = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character <= ' ' || (character === ')' && depth === 0)) break;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) at += 1;
    else if (character === '(' && ++depth > deepest) return undefined;
    else if (character === ')') depth -= 1;
  }
  at = Math.min(at, text.length);
  return depth === 0 ? { value: { start, end: at }, end: at } : undefined;
}

function written(text: string, { start, end }: Span): Written {
  return { start, end, text: unescaped(text.slice(start, end)) };
}

function afterGap(text: string, at: number): number {
  gap.lastIndex = at;
  gap.test(text);
  return gap.lastIndex;
}
