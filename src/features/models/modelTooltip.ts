import * as vscode from 'vscode';
import { formatCents } from '../../base/format';
import { appendLine, oneLine } from '../../base/plain';
import { placeName } from '../../catalog/session';
import type { Field, Model, ModelSummary } from '../../catalog/fields';
import { localImage, imageMarkdown } from '../../editor/hoverImage';
import { type CommandId, commands } from '../../editor/ids';
import { isPreviewable } from '../../editor/isPreviewable';
import { about } from '../../editor/words';
import type { Foundation } from '../../foundation';
import { kindWords } from './kindWords';
import type { DefaultPrices } from './model/defaultPrices';

/** What this window knows of a model besides what the service says. */
interface ModelExperience {
  /** One of its own results on this machine, by its URI. */
  readonly image?: string;
  /** How long it usually takes, ms. */
  readonly usualMs?: number;
  /** The last price with its default inputs, euro cents. */
  readonly costCents?: number;
}

/**
 * A model: what it makes, what it costs and takes, and how long. Its ID comes last, in small. The service's texts are
 * plain text, and no tags: the only links are our own two, which open the form or the box and spend nothing.
 */
export function modelTooltip(model: ModelSummary | Model, known: ModelExperience): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [commands.openModel, commands.quickRender] };
  tooltip.supportHtml = true;
  if (known.image !== undefined) tooltip.appendMarkdown(`${imageMarkdown(known.image)}\n\n`);
  appendLine(tooltip.appendMarkdown('**'), oneLine(model.title)).appendMarkdown('**');
  if (model.description !== undefined) appendLine(tooltip.appendMarkdown('  \n'), oneLine(model.description, 400));
  const facts = factsOf(model, known);
  if (facts.length > 0) appendLine(tooltip.appendMarkdown('\n\n'), facts.join(' · '));
  tooltip.appendMarkdown(`\n\n${linksTo(model)}\n\n<small>`);
  return appendLine(tooltip, oneLine(model.id)).appendMarkdown('</small>');
}

function factsOf(model: ModelSummary | Model, { usualMs, costCents }: ModelExperience): readonly string[] {
  return [
    model.kind === undefined ? undefined : kindWords(model.kind),
    costCents === undefined
      ? undefined
      : vscode.l10n.t('{0} with default inputs', formatCents(costCents, vscode.env.language)),
    usualMs === undefined ? undefined : vscode.l10n.t('usually {0}', about(usualMs)),
    'fields' in model ? imagesWords(model.fields) : undefined,
  ].filter((fact) => fact !== undefined);
}

/** That a model takes text goes without saying. */
function imagesWords(fields: readonly Field[]): string | undefined {
  const taking = fields.filter(({ kind }) => kind === 'image');
  const needed = taking
    .filter(({ required }) => required)
    .reduce((sum, { image, minimum = 1 }) => sum + (image?.isList ? Math.max(1, minimum) : 1), 0);
  if (needed === 1) return vscode.l10n.t('needs 1 image');
  if (needed > 1) return vscode.l10n.t('needs {0} images', needed);
  return taking.length > 0 ? vscode.l10n.t('accepts images') : undefined;
}

/** A quick render makes images. */
function linksTo({ id, kind }: ModelSummary): string {
  const open = commandLink(vscode.l10n.t('Open Model Form'), commands.openModel, id);
  if (kind === 'text') return open;
  return `${open} · ${commandLink(vscode.l10n.t('Quick Render'), commands.quickRender, id)}`;
}

/** Percent-encodes everything in the id that Markdown could interpret. */
function commandLink(label: string, command: CommandId, modelId: string): string {
  const sign = (one: string) => `%${one.charCodeAt(0).toString(16)}`;
  const safe = encodeURIComponent(JSON.stringify([modelId])).replaceAll(/[!'()*_~.]/g, sign);
  return `[${label}](command:${command}?${safe})`;
}

/** The newest results of a model that are looked for on the disk. */
const mostImages = 3;

/**
 * What this window knows of a model without any request: its price, and from the render history, if that is loaded, a
 * sample and how long it takes. Never rejects.
 */
export async function experienceOf(
  modelId: string,
  prices: DefaultPrices,
  { renders: { ready: renders }, session }: Foundation,
): Promise<ModelExperience> {
  const costCents = prices.of(modelId);
  const { place } = session.state;
  if (!renders || !place) return { costCents };
  const here = placeName(place);
  // Another service may have another model of that name.
  const own = renders.library.entries.filter(
    (entry) => entry.modelId === modelId && (entry.record?.place ?? here) === here,
  );
  const images = own.flatMap((entry) => (entry.record?.staged ? [] : (localImage(entry) ?? [])));
  const uris = images.slice(0, mostImages).map((uri) => vscode.Uri.parse(uri));
  const there = await Promise.all(uris.map(isPreviewable));
  const [{ record } = {}] = own;
  const usualMs = renders.usualMs(record ?? { place: here, modelId, inputs: {} });
  return { image: uris.find((_, index) => there[index])?.toString(), usualMs, costCents };
}
