import type { CheckQuestion, Heard } from './connectionCheck';

/**
 * The parts of the service's specification about a response, quoted verbatim and so in English, so that whoever runs
 * the service can find them there.
 */
export function expectedOf({ question, status }: Heard): readonly string[] {
  if (status === 401) return ['A missing, wrong, or revoked key gives HTTP 401.'];
  if (status < 200 || status > 299)
    return [endpoints[question], 'An error response is JSON with a code and a message.'];
  return [endpoints[question], rules[question]];
}

/** The rows of the table “Endpoints”. */
const endpoints: Readonly<Record<CheckQuestion, string>> = {
  me: 'GET | /me | Your key and balance | none | JSON including balanceCents',
  models: 'GET | /models | Every model | none | JSON list of models',
  detail:
    'GET | /models/detail?id=<model_id> | One model and its fields | query parameter id (model identifier) | JSON model with its input fields',
  quote:
    'POST | /quote | Price for exact inputs, starts nothing, charges nothing | JSON body: modelId (string), inputs (object) | JSON with the price in euro cents',
};

const rules: Readonly<Record<CheckQuestion, string>> = {
  me: 'balanceCents | integer | Money left on the balance, in euro cents',
  models:
    'A model is identified by a model identifier string of the form <provider>/<family>/<model_name> (three segments separated by a slash).',
  detail: 'Each input field is described by: Name, Type, Required, Default',
  quote: 'All money amounts are integers in euro cents (see the fields costCents and balanceCents).',
};
