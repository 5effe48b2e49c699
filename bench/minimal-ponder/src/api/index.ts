import { Hono } from "hono";

// Ponder demands an API. Nothing is asked of it.
export default new Hono();
