import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 10.1","description":"","frontmatter":{"title":"Requirement 10.1","prev":false,"next":false},"headers":[],"relativePath":"requirements/10.1.md","filePath":"site/pages/requirements/10.1.md"}');
const _sfc_main = { name: "requirements/10.1.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-101" tabindex="-1">Requirement 10.1 <a class="header-anchor" href="#requirement-101" aria-label="Permalink to &quot;Requirement 10.1&quot;">​</a></h1><blockquote><p>A receiver MUST answer a validly signed body that is not JSON with a status below 500, and accept the next delivery.</p></blockquote><p>MUST · Source: Convention: one body must not break the deliveries of others</p><p><strong>Prevents:</strong> one body that the receiver cannot read stops the payments behind it.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/robustness/not-json"><code>not-json</code></a></td><td>One malformed body makes the server answer 5xx or crash, and the sender keeps retrying it.</td></tr><tr><td><a href="/hookproof/cases/robustness/json-cut-short"><code>json-cut-short</code></a></td><td>One malformed body makes the server answer 5xx or crash, and the sender keeps retrying it.</td></tr><tr><td><a href="/hookproof/cases/robustness/empty-body"><code>empty-body</code></a></td><td>One malformed body makes the server answer 5xx or crash, and the sender keeps retrying it.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/10.1.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _10_1 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _10_1 as default
};
