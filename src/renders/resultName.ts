import { promptOf } from '../catalog/fields';
import type { Calendar } from '../files/calendar';
import { fillTemplate } from '../files/template';
import type { RenderRecord, Target } from './record';

type Named = Pick<RenderRecord, 'plannedAt' | 'modelId' | 'inputs' | 'generationId' | 'index'>;

/** The file name of a render's result at this target, without extension, before other files are taken into account. */
export function resultName(record: Named, target: Target, calendar: Calendar): string {
  if (target.ending !== undefined) return target.fileName;
  const { plannedAt, modelId, inputs, generationId = '', index } = record;
  const facts = { time: plannedAt, modelId, prompt: promptOf(undefined, inputs), id: generationId, index };
  return fillTemplate(target.fileName, facts, calendar);
}
