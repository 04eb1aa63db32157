/** Lines of logs as an engine writes them, no two posts alike. */

export interface Line {
  readonly at: string;
  readonly text: string;
}

const AT_MS = Date.UTC(2026, 10, 20, 16, 7, 25);
const STEPS = ["Creating...", "Still creating... [10s elapsed]", "Refreshing state...", "Creation complete after 3s"];

/** So many posts; the lines of one share a few instants. */
export function makePosts(count: number, linesEach: number): Line[][] {
  return Array.from({ length: count }, (_, post) =>
    Array.from({ length: linesEach }, (_line, index) => {
      const number = post * linesEach + index;
      const id = ((number * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, "0");
      return {
        at: new Date(AT_MS + post * 250 + Math.floor(index / 25)).toISOString(),
        text: `module.service["${number % 97}"].aws_instance.node[${number}]: ${STEPS[number % STEPS.length]} [id=i-${id}]`,
      };
    }),
  );
}
