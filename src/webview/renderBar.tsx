import { Icon } from './icon';
import { readinessOf, type Ask, type FormState, type Readiness } from './state';
import { TargetRow } from './targetRow';
import { useTexts, type Texts } from './texts';

/** Always in sight: where the result goes, what it costs, and the button that spends. */
export function RenderBar(props: {
  readonly state: FormState;
  readonly onRender: () => void;
  readonly onAsk: (ask: Ask) => void;
}) {
  const texts = useTexts();
  const readiness = readinessOf(props.state);
  const waits = readiness.kind === 'asking' || readiness.kind === 'starting';
  return (
    <footer class="bar">
      {props.state.problem !== undefined && (
        <p class="issue">
          <Icon name="error" />
          <span>{props.state.problem}</span>
        </p>
      )}
      {props.state.target && <TargetRow target={props.state.target} onAsk={props.onAsk} />}
      <div class="order">
        <button
          type="button"
          class="vscode-button render"
          // Not `disabled`: the button keeps the focus, and pressed, it leads to what is missing.
          aria-disabled={readiness.kind !== 'ready'}
          aria-busy={waits}
          aria-describedby="order-note"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          title={texts.say(isMac ? 'renderKeyMac' : 'renderKey')}
          onClick={(event) => {
            // The second click of a double click is no second order.
            if (event.detail <= 1) props.onRender();
          }}
          onKeyDown={(event) => {
            // A held key would press again and again.
            if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
          }}
        >
          {readiness.kind === 'starting' && <Icon name="loading" spin />}
          {buttonWords(readiness, texts)}
        </button>
        <div id="order-note" class={`note ${readiness.kind}`}>
          <Note state={props.state} readiness={readiness} onAsk={props.onAsk} />
        </div>
      </div>
    </footer>
  );
}

const isMac = /Mac/.test(navigator.userAgent);

/** The price stands on the button only while it is the price of what is on the screen. */
export function buttonWords(readiness: Readiness, texts: Texts): string {
  switch (readiness.kind) {
    case 'ready':
      return readiness.costCents === undefined
        ? texts.say('renderNotStated')
        : texts.say('renderPriced', texts.money(readiness.costCents));
    case 'tooLittle':
      return texts.say('renderPriced', texts.money(readiness.costCents));
    case 'asking':
      return texts.say('renderAsking');
    case 'starting':
      return texts.say('starting');
    case 'invalid':
    case 'failed':
      return texts.say('render');
  }
}

function Note(props: { readonly state: FormState; readonly readiness: Readiness; readonly onAsk: (ask: Ask) => void }) {
  const texts = useTexts();
  const { readiness } = props;
  return (
    <>
      <span>{noteWords(readiness, props.state.balanceCents, texts)}</span>
      {readiness.kind === 'failed' && (
        <button type="button" class="link" onClick={() => props.onAsk({ type: 'askAgain' })}>
          {texts.say('askAgain')}
        </button>
      )}
      {readiness.kind === 'tooLittle' && (
        <button type="button" class="link" onClick={() => props.onAsk({ type: 'refreshBalance' })}>
          {texts.say('refreshBalance')}
        </button>
      )}
    </>
  );
}

/** What stands beside the button: the balance after it, or why it cannot be pressed. */
export function noteWords(readiness: Readiness, balanceCents: number | undefined, texts: Texts): string {
  switch (readiness.kind) {
    case 'ready':
      if (readiness.costCents === undefined) return texts.say('priceNotStated');
      return balanceCents === undefined
        ? ''
        : texts.say('balanceAfter', texts.money(balanceCents - readiness.costCents));
    case 'starting':
    case 'asking':
      return balanceCents === undefined ? '' : texts.say('balance', texts.money(balanceCents));
    case 'failed':
      return texts.say('priceFailed', readiness.problem);
    case 'tooLittle':
      return texts.say(
        'tooLittle',
        texts.money(readiness.balanceCents),
        texts.money(readiness.costCents - readiness.balanceCents),
      );
    case 'invalid':
      return texts.say(readiness.missing ? 'fieldsNeeded' : 'fieldsWrong', named(readiness, texts));
  }
}

/** The first three by name. */
function named({ fields }: Extract<Readiness, { kind: 'invalid' }>, texts: Texts): string {
  const names = fields
    .slice(0, 3)
    .map((field) => field.label)
    .join(', ');
  return fields.length > 3 ? texts.say('andMore', names, fields.length - 3) : names;
}
