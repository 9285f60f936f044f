import { unescaped } from './markdownText';
import type { Span, Written } from './span';

/** The address and title of a Markdown image. */
export interface MarkdownTarget {
  readonly address: Written;
  readonly title?: Written;
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
  const end = afterGap(text, target.end);
  return text[end] === ')' ? { ...target, end: end + 1 } : undefined;
}

/** An address with an optional title; `end` is where reading stopped. */
export function targetAt(text: string, start: number): (MarkdownTarget & { readonly end: number }) | undefined {
  const address = addressAt(text, start);
  if (!address) return undefined;
  const titleStart = afterGap(text, address.end);
  const title = titleStart > address.end ? titleAt(text, titleStart) : undefined;
  return {
    address: written(text, address.value),
    ...(title && { title: written(text, title) }),
    end: title ? title.end + 1 : address.end,
  };
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
