/** How each part of a whole is made, from what is given for the whole. */
export type Makers<Whole, Given> = { readonly [Name in keyof Whole]: (given: Given) => Whole[Name] };

/** Makes wholes whose parts are made when they are first asked for, and kept: for those with dozens that need a few. */
export function lazily<Whole extends object, Given>(makers: Makers<Whole, Given>): (given: Given) => Whole {
  const getters: PropertyDescriptorMap = {};
  for (const [name, make] of Object.entries<(given: Given) => unknown>(makers)) {
    getters[name] = {
      get(this: { given: Given }) {
        const value = make(this.given);
        Object.defineProperty(this, name, { value });
        return value;
      },
    };
  }
  const lazy: object = Object.create(null, getters);
  return (given) => Object.create(lazy, { given: { value: given } });
}
