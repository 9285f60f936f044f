import { Component, type FunctionComponent } from 'preact';

/** The component, shown anew only when one of its props is another: for the many that stay as they are while the view is scrolled. */
export function memo<Props extends object>(Shown: FunctionComponent<Props>) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before: object = this.props;
      return Object.entries(next).some(([name, value]) => Reflect.get(before, name) !== value);
    }

    override render() {
      return <Shown {...this.props} />;
    }
  };
}
