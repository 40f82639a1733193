import { defineConfig } from "vite";

// One page, one script, one style sheet, no names that change: CMake embeds dist/ into the program.
export default defineConfig({
  base: "./",
  build: {
    outDir: process.env.CLEAVE_WEB_OUT ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      output: {
        entryFileNames: "explorer.js",
        assetFileNames: "explorer[extname]",
        inlineDynamicImports: true,
      },
    },
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  // `npm run dev` beside a running `cleave serve --port 8620 --token dev`.
  // The server refuses pages of other origins, as which this one would count.
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8620", changeOrigin: true, headers: { Origin: "http://127.0.0.1:8620" } } },
  },
});
