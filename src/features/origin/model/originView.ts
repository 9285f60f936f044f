import { redact } from '../../../base/log';
import { fileNameOf } from '../../../files/fileName';
import type { LibraryEntry } from '../../../renders/library';
import type { Origin } from '../../../renders/origin';
import type { OriginAction, OriginFact, OriginGroup, OriginView } from '../page/originMessages';
import { fieldLabel } from '../../../catalog/fieldLabel';
import { promptOf } from '../../../catalog/fields';
import { oneLine } from '../../../base/plain';
import type { DetailFact, DetailSection, Fact, Heading } from '../../generations/model/generationDetails';
import { originSections, type OriginWords } from './originText';
import { recipeIn } from '../../rendering/model/recipe';

/** What the page adds to the words of a file's origin. */
export interface PageWords extends OriginWords {
  /** The display name of a model. */
  readonly modelName: (modelId: string) => string;
}

/** What is worth knowing first, in this order; the rest is folded. */
const firstFacts: readonly Fact[] = ['model', 'standing', 'charged', 'refund', 'ordered', 'startedElsewhere', 'took'];

const folded: readonly Heading[] = ['money', 'times', 'result', 'request'];

/**
 * The page about how a file (URI) was made: everything that `originText` says, each fact once. `picture` is what the
 * page shows of it, if it's an image.
 */
export function originView(
  file: string,
  picture: OriginView['picture'],
  origin: Origin,
  entry: LibraryEntry | undefined,
  words: PageWords,
): OriginView {
  const path = words.path(file);
  const sections = originSections(origin, entry, words);
  const all = sections.flatMap(({ facts }) => facts);
  const isFirst = ({ fact }: DetailFact) => fact !== undefined && firstFacts.includes(fact);
  // The path is below the title.
  const isElsewhere = (fact: DetailFact) => !isFirst(fact) && !(fact.fact === 'file' && fact.text === path);
  const groupOf = (heading: Heading, kept: (fact: DetailFact) => boolean): OriginGroup[] => {
    const facts = (sectionOf(sections, heading)?.facts ?? []).filter(kept).map((fact) => factView(fact, words));
    return facts.length === 0 ? [] : [{ title: words.heading(heading), facts }];
  };
  return {
    file,
    name: oneLine(fileNameOf(file)),
    path: redact(path),
    introduction: redact(words.introduction(origin)),
    standing: standingOf(origin),
    picture,
    prompt: textOf(sections, 'prompt', words),
    answer: textOf(sections, 'answer', words),
    facts: firstFacts.flatMap((name) => all.filter(({ fact }) => fact === name).map((fact) => factView(fact, words))),
    inputs: groupOf('inputs', () => true)[0],
    more: folded.flatMap((heading) => groupOf(heading, isElsewhere)),
    actions: actionsOf(origin, picture),
  };
}

function standingOf({ record, change }: Origin): OriginView['standing'] {
  if (change === 'replaced' || change === 'changed' || (record && change === 'unknown')) return 'doubtful';
  return record ? 'proven' : 'told';
}

function sectionOf(sections: readonly DetailSection[], heading: Heading): DetailSection | undefined {
  return sections.find((section) => section.heading === heading);
}

function textOf(sections: readonly DetailSection[], heading: Heading, words: PageWords): OriginView['prompt'] {
  const text = sectionOf(sections, heading)?.text;
  return text === undefined ? undefined : { title: words.heading(heading), text: redact(text) };
}

/** Models and inputs have display names; an input's own name is known to those who read its file. */
function factView({ fact, label, text }: DetailFact, { modelName }: PageWords): OriginFact {
  if (fact === undefined) return { label: fieldLabel(redact(label)), text: redact(text) };
  const name = fact === 'model' ? oneLine(modelName(text)) : text;
  return { label, text: redact(name), ...(name === text ? {} : { detail: redact(text) }) };
}

function actionsOf(origin: Origin, picture: OriginView['picture']): OriginAction[] {
  const recipe = recipeIn(origin);
  const hasPrompt = recipe && !recipe.promptLeftOut && promptOf(undefined, recipe.inputs) !== '';
  const open = picture?.address === undefined ? [] : (['openFile'] as const);
  if (!recipe) return ['copyAsText', ...open];
  return ['renderAgain', 'openInForm', ...(hasPrompt ? (['copyPrompt'] as const) : []), 'copyAsText', ...open];
}
