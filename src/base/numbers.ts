/** The number at an index; 0 out of range. */
export function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

/** Adds to the number at an index. */
export function addAt(numbers: Float64Array, index: number, amount: number): void {
  numbers[index] = at(numbers, index) + amount;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
