import fc from "fast-check";

// A mutant is noticed by the first value that fails. To look for the smallest one takes seconds.
fc.configureGlobal({ endOnFailure: true });
