import { expect, test } from "vitest";
import { type PageRequest, toPage } from "../../../src/model/kit/page.ts";

const request: PageRequest<number> = { limit: 2, direction: "forward", after: null, before: null };

test("forward: the first of the window, and more where one too many was read", () => {
  expect(toPage(request, [1, 2])).toEqual({ items: [1, 2], hasNextPage: false, hasPreviousPage: false });
  expect(toPage(request, [1, 2, 3])).toEqual({ items: [1, 2], hasNextPage: true, hasPreviousPage: false });
  expect(toPage({ ...request, after: 5 }, [6])).toEqual({ items: [6], hasNextPage: false, hasPreviousPage: true });
});

test("backward: the last of the window, turned into the list's own order", () => {
  const backward: PageRequest<number> = { ...request, direction: "backward" };
  expect(toPage(backward, [9, 8])).toEqual({ items: [8, 9], hasNextPage: false, hasPreviousPage: false });
  expect(toPage(backward, [9, 8, 7])).toEqual({ items: [8, 9], hasNextPage: false, hasPreviousPage: true });
  expect(toPage({ ...backward, before: 3 }, [2])).toEqual({ items: [2], hasNextPage: true, hasPreviousPage: false });
});

test("a page of nothing still says whether there is something", () => {
  expect(toPage({ ...request, limit: 0 }, [1])).toEqual({ items: [], hasNextPage: true, hasPreviousPage: false });
  expect(toPage(request, [])).toEqual({ items: [], hasNextPage: false, hasPreviousPage: false });
});
