import type { Field, Model } from '../../../catalog/types';
import { manyLines } from '../../../base/lines';
import { oneLine } from '../../../base/plain';

/** The model with its texts cleaned for display. Ids, names, and values stay as they are, since they are sent. */
export function shownModel(model: Model): Model {
  const { title, description, fields } = model;
  return {
    ...model,
    title: oneLine(title) || oneLine(model.id),
    ...(description !== undefined && { description: oneLine(description, 2000) }),
    fields: fields.map(shownField),
  };
}

function shownField(field: Field): Field {
  const { name, label, help, choices } = field;
  return {
    ...field,
    label: oneLine(label) || oneLine(name),
    ...(help !== undefined && { help: manyLines(help).join('\n') }),
    ...(choices && { choices: choices.map((choice) => ({ ...choice, label: oneLine(choice.label) })) }),
  };
}
