import * as vscode from 'vscode';
import type { Json } from '../../base/json';
import { formatCents } from '../../base/format';
import { formatSize, formatNames } from '../../base/numbers';
import { appendLine, oneLine } from '../../base/plain';
import { placeName } from '../../catalog/session';
import type { Choice, Field, Model, ModelSummary } from '../../catalog/fields';
import { localImage, imageMarkdown } from '../../editor/hoverImage';
import { type CommandId, commands } from '../../editor/ids';
import { isPreviewable } from '../../editor/isPreviewable';
import { about } from '../../editor/words';
import type { Foundation } from '../../foundation';
import type { DefaultPrices } from './model/defaultPrices';

/** Beyond this, fields are only counted: the form has all of them. */
const mostFields = 5;
/** Beyond this, options are only counted. */
const mostChoices = 5;

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
 * A model, what is known of it, and its key fields. The service's texts are plain text: the only links are our own two,
 * which open the form or the box and spend nothing.
 */
export function modelTooltip(model: ModelSummary | Model, known: ModelExperience): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [commands.openModel, commands.quickRender] };
  if (known.image !== undefined) tooltip.appendMarkdown(`${imageMarkdown(known.image)}\n\n`);
  appendLine(tooltip.appendMarkdown('**'), oneLine(model.title)).appendMarkdown('**  \n');
  appendLine(tooltip, oneLine(model.id));
  const experience = experienceWords(known);
  if (experience !== '') appendLine(tooltip.appendMarkdown('  \n'), experience);
  if (model.description !== undefined) appendLine(tooltip.appendMarkdown('\n\n'), oneLine(model.description, 400));
  if ('fields' in model) appendFields(tooltip, model.fields);
  return tooltip.appendMarkdown(`\n\n${linksTo(model)}`);
}

function experienceWords({ usualMs, costCents }: ModelExperience): string {
  return [
    usualMs === undefined ? undefined : vscode.l10n.t('Usually {0}', about(usualMs)),
    costCents === undefined
      ? undefined
      : vscode.l10n.t('Last price with default inputs: {0}', formatCents(costCents, vscode.env.language)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
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

function appendFields(tooltip: vscode.MarkdownString, fields: readonly Field[]): void {
  tooltip.appendMarkdown('\n\n');
  // The fields that a user has to fill in come first.
  const shown = fields.toSorted((a, b) => Number(b.required) - Number(a.required)).slice(0, mostFields);
  for (const field of shown) {
    appendLine(tooltip.appendMarkdown('\n- **'), oneLine(field.label, 60)).appendMarkdown('** ');
    appendLine(tooltip, factsOf(field).join(' · '));
  }
  const more = fields.length - mostFields;
  if (more > 0) appendLine(tooltip.appendMarkdown('\n- '), vscode.l10n.t('and {0} more', more));
}

/** The accepted values of a field, and its default. */
export function factsOf(field: Field): string[] {
  const { required, maxLength, step } = field;
  return [
    required ? vscode.l10n.t('required') : undefined,
    typeWords(field),
    boundsWords(field),
    step === undefined || step === 1 ? undefined : vscode.l10n.t('step {0}', step),
    maxLength === undefined ? undefined : vscode.l10n.t('up to {0} characters', maxLength),
    defaultWords(field),
  ].filter((fact) => fact !== undefined);
}

function typeWords(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return choiceWords(field.choices ?? []);
    case 'choices':
      return vscode.l10n.t('any of: {0}', choiceWords(field.choices ?? []));
    case 'color':
      return vscode.l10n.t('color');
    case 'boolean':
      return vscode.l10n.t('yes or no');
    case 'integer':
    case 'seed':
      return vscode.l10n.t('whole number');
    case 'number':
      return vscode.l10n.t('number');
    case 'text':
    case 'longText':
      return vscode.l10n.t('text');
    case 'image':
      return imageWords(field);
    case 'json':
      return oneLine(field.statedType, 40);
  }
}

function imageWords({ image }: Field): string {
  if (!image) return vscode.l10n.t('image');
  const { language } = vscode.env;
  const size = formatSize(image.maxBytes, language);
  const formats = formatNames(image.types, language);
  return image.isList
    ? vscode.l10n.t('images: {0}, up to {1} each', formats, size)
    : vscode.l10n.t('image: {0}, up to {1}', formats, size);
}

function choiceWords(choices: readonly Choice[]): string {
  const named = choices
    .slice(0, mostChoices)
    .map(({ label }) => oneLine(label, 30))
    .join(', ');
  const more = choices.length - mostChoices;
  return more > 0 ? vscode.l10n.t('{0}, and {1} more', named, more) : named;
}

function boundsWords({ kind, minimum, maximum }: Field): string | undefined {
  // A seed's limits are those of machine numbers, and say nothing.
  if (kind === 'seed') return undefined;
  if (minimum !== undefined && maximum !== undefined) return vscode.l10n.t('{0} to {1}', minimum, maximum);
  if (minimum !== undefined) return vscode.l10n.t('at least {0}', minimum);
  return maximum === undefined ? undefined : vscode.l10n.t('at most {0}', maximum);
}

function defaultWords({ kind, default: value }: Field): string | undefined {
  // A seed without a value is drawn at random.
  return kind === 'seed' || value === undefined ? undefined : vscode.l10n.t('default {0}', valueWords(value));
}

function valueWords(value: Json): string {
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), 60);
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
