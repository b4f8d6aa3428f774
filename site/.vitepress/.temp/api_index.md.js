import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"API reference","description":"","frontmatter":{},"headers":[],"relativePath":"api/index.md","filePath":"site/pages/api/index.md"}');
const _sfc_main = { name: "api/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="api-reference" tabindex="-1">API reference <a class="header-anchor" href="#api-reference" aria-label="Permalink to &quot;API reference&quot;">​</a></h1><h2 id="modules" tabindex="-1">Modules <a class="header-anchor" href="#modules" aria-label="Permalink to &quot;Modules&quot;">​</a></h2><ul><li><a href="/hookproof/api/conformance">conformance</a></li><li><a href="/hookproof/api/fixtures">fixtures</a></li><li><a href="/hookproof/api/receiver">receiver</a></li><li><a href="/hookproof/api/receiver/inbox/postgres">receiver/inbox/postgres</a></li><li><a href="/hookproof/api/receiver/inbox/sqlite">receiver/inbox/sqlite</a></li><li><a href="/hookproof/api/receiver/limits/express">receiver/limits/express</a></li><li><a href="/hookproof/api/receiver/limits/fastify">receiver/limits/fastify</a></li><li><a href="/hookproof/api/receiver/limits/fetch">receiver/limits/fetch</a></li><li><a href="/hookproof/api/runners/node-test">runners/node-test</a></li><li><a href="/hookproof/api/runners/vitest">runners/vitest</a></li><li><a href="/hookproof/api/sandbox">sandbox</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/api/index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
