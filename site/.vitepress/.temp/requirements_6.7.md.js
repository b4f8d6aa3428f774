import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 6.7","description":"","frontmatter":{"title":"Requirement 6.7","prev":false,"next":false},"headers":[],"relativePath":"requirements/6.7.md","filePath":"site/pages/requirements/6.7.md"}');
const _sfc_main = { name: "requirements/6.7.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-67" tabindex="-1">Requirement 6.7 <a class="header-anchor" href="#requirement-67" aria-label="Permalink to &quot;Requirement 6.7&quot;">​</a></h1><blockquote><p>A receiver MUST store a delivery durably before it acknowledges it.</p></blockquote><p>MUST · Source: Convention: a 200 is a promise, since the service need not send the delivery again</p><p><strong>Prevents:</strong> a crash loses an acknowledged payment, and the service need not send it again.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/durability/kept-over-a-restart"><code>kept-over-a-restart</code></a></td><td>Every restart, including a deployment, loses all payments.</td></tr><tr><td><a href="/hookproof/cases/durability/nothing-lost-in-a-crash"><code>nothing-lost-in-a-crash</code></a></td><td>A crash loses a payment that the customer has made, and the service does not send it again.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/6.7.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _6_7 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _6_7 as default
};
