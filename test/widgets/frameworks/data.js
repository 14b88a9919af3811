// What every board shows, so that the same jobs are done with each framework.
export const TASKS = ['Buy milk', 'Water plants', 'Call Ada'];
export const DISHES = ['Soup', 'Salad', 'Pasta'];
export const PEOPLE = [
  ['Ada', 'London'],
  ['Bo', 'Oslo'],
  ['Cy', 'Rome'],
];
