/** Seeds whose schedules once broke a promise. They run first, so that fixes last. */
export const onceFailed: readonly number[] = [
  33, 179, 659, 871, 988, 1335, 1945, 4843, 4881, 5257, 9289, 10362, 19722, 20368, 17, 4962, 7552, 17627, 5022945,
  20064262, 17871, 3012719, 3119729, 5185138, 5199879, 5458883, 20138, 391, 3890, 4831, 10275, 11275, 7955, 6001038,
  170, 37205, 2033407,
];
