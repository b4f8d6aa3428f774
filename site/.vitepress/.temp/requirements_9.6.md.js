import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Requirement 9.6","description":"","frontmatter":{"title":"Requirement 9.6","prev":false,"next":false},"headers":[],"relativePath":"requirements/9.6.md","filePath":"site/pages/requirements/9.6.md"}');
const _sfc_main = { name: "requirements/9.6.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="requirement-96" tabindex="-1">Requirement 9.6 <a class="header-anchor" href="#requirement-96" aria-label="Permalink to &quot;Requirement 9.6&quot;">​</a></h1><blockquote><p>A receiver MUST NOT credit a failed payment.</p></blockquote><p>MUST · Source: Interface 6</p><p><strong>Prevents:</strong> a customer gets the goods without paying.</p><h2 id="cases" tabindex="-1">Cases <a class="header-anchor" href="#cases" aria-label="Permalink to &quot;Cases&quot;">​</a></h2><table tabindex="0"><thead><tr><th>case</th><th>impact of a failure</th></tr></thead><tbody><tr><td><a href="/hookproof/cases/effects/failed-is-not-credited"><code>failed-is-not-credited</code></a></td><td>The merchant hands over goods that were not paid for.</td></tr><tr><td><a href="/hookproof/cases/effects/simulated-failure-is-not-credited"><code>simulated-failure-is-not-credited</code></a></td><td>The merchant hands over goods that were not paid for.</td></tr></tbody></table><p><a href="/hookproof/spec">All requirements</a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/pages/requirements/9.6.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _9_6 = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _9_6 as default
};
