import { systemClock } from '../../../src/base/clock';
import { type RenderFile } from '../../../src/renderFiles/renderFile';
import { givenFrom, type Images } from '../../../src/renderFiles/givenFiles';
import { readRenderFile } from '../../../src/renderFiles/readRenderFile';
import { english, entryProblemSentence } from '../../../src/renderFiles/words';

/** Reads a render file; writes anything but a text as JSON. */
export async function read(content: unknown, path = 'renders.jsonc'): Promise<RenderFile> {
  return readRenderFile(typeof content === 'string' ? content : JSON.stringify(content), path, systemClock);
}

/** Its problems, each with the text at its place. */
export function told(text: string, { problems }: Pick<RenderFile, 'problems'>): string[] {
  return problems.map(
    (problem) => `${text.slice(problem.start, problem.end)}: ${entryProblemSentence(problem, english)}`,
  );
}

/** The requested targets and their prompts. */
export function asked({ renders }: RenderFile): (readonly [target: string, prompt: unknown])[] {
  return renders.map(({ target, inputs }) => [target, inputs.prompt]);
}

/** Files that may be given as inputs, by their paths. */
export function imagesOf(files: Readonly<Record<string, Buffer>>): Images {
  return {
    given: (file) => {
      const bytes = files[file];
      return bytes ? givenFrom(file, bytes, systemClock) : Promise.resolve({ why: 'missing' });
    },
  };
}

export const noImages = imagesOf({});
