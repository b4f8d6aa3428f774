import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 5.9","description":"","frontmatter":{"title":"Requirement 5.9","prev":false,"next":false},"headers":[],"relativePath":"requirements/5.9.md","filePath":"site/pages/requirements/5.9.md"}');
const _sfc_main = { name: "requirements/5.9.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-59" tabindex="-1">Requirement 5.9 <a class="header-anchor" href="#requirement-59" aria-label="Permalink to &quot;Requirement 5.9&quot;">​</a></h1><blockquote><p>A receiver without a signing secret MUST NOT accept any delivery.</p></blockquote><p>MUST · Source: Interface 5.3, rule 1: there is nothing to verify with</p><p><strong>Prevents:</strong> anyone forges a payment, because there is nothing to verify with.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/startup/started-with-an-empty-secret"><code>started-with-an-empty-secret</code></a></td><td>Where the secret is not configured, anyone can forge a payment.</td></tr><tr><td><a href="/hookproof/cases/startup/started-without-a-secret"><code>started-without-a-secret</code></a></td><td>Where the secret is not configured, anyone can forge a payment.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/5.9.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _5_9 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _5_9 as default
};
