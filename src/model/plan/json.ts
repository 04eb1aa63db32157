/** JSON as a provider defines it. Numbers that a double cannot hold exactly are strings. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
